use grange::tool;

fn main() {
    let _ = tool! {
        name: "the answer",
        call: |_cx| async { Ok("42") },
    };
}
