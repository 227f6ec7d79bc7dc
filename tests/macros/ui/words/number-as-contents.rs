use grange::{resource, tool};
fn main() {
    let _ = resource! { uri: "docs://page", name: "page", read: |_cx| async move { Ok(5) } };
    let _ = tool! { name: "page", call: |_cx| async move { Ok(5) } };
}
