use grange::tool;

fn main() {
    let _ = tool! {
        name: "answer",
        decsription: "What it is.",
        call: |_cx| async { Ok("42") },
    };
}
