use grange::tool;

fn main() {
    let _ = tool! {
        name: "answer",
        call: |_cx| async { Ok("42") },
        call: |_cx| async { Ok("43") },
    };
}
