use grange::tool;

fn main() {
    let _ = tool! {
        name: "answer",
        inputSchema: { "type": "object" },
        call: |_cx| async { Ok("42") },
    };
}
