use grange::tool;

fn main() {
    let _ = tool! {
        name: "answer",
        "title": "Answer",
        call: |_cx| async { Ok("42") },
    };
}
