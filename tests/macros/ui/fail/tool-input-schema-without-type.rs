use grange::tool;

fn main() {
    let _ = tool! {
        name: "answer",
        input_schema: { "properties": {} },
        call: |_cx| async { Ok("42") },
    };
}
