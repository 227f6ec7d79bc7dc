use grange::tool;

fn main() {
    let _ = tool! {
        name: "answer",
        mime_type: "text/plain",
        call: |_cx| async { Ok("42") },
    };
}
