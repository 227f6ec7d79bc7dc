use grange::tool;

fn main() {
    let _ = tool! {
        name: "answer",
        annotations: true,
        call: |_cx| async { Ok("42") },
    };
}
