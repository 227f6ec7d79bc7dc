use grange::tool;

fn main() {
    let _ = tool! {
        name: "answer",
        annotations: { read_only: "yes", title: true },
        call: |_cx| async { Ok("42") },
    };
}
