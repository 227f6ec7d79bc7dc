use grange::tool;

fn main() {
    let _ = tool! {
        title: "Answer",
        call: |_cx| async { Ok("42") },
    };
}
