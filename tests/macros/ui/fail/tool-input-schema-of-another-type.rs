use grange::tool;

fn main() {
    let _ = tool! {
        name: "answer",
        input_schema: { "type": ["object", "null"] },
        call: |_cx| async { Ok("42") },
    };
}
