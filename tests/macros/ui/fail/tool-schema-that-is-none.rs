use grange::tool;

fn main() {
    let _ = tool! {
        name: "answer",
        input_schema: true,
        output_schema: [1],
        call: |_cx| async { Ok("42") },
    };
}
