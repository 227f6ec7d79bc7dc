use grange::tool;

fn main() {
    let _ = tool! {
        name: "answer",
        annotations: { priority: 0.5 },
        call: |_cx| async { Ok("42") },
    };
}
