use grange::{ReadError, ToolError, resource, tool};

fn main() {
    let _ = resource! {
        uri: "docs://page",
        name: "page",
        read: |_cx| async move { Err::<String, _>(ReadError::public(-32001, "it is gone")) },
    };
    let _ = tool! {
        name: "page",
        call: |_cx| async move { Err::<String, ToolError>(ReadError::public(-32_603, "it is gone").into()) },
    };
}
