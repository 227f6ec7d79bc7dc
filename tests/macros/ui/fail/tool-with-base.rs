use grange::tool;

fn main() {
    let answer = tool! { name: "answer", call: |_cx| async { Ok("42") } };
    let _ = tool! {
        name: "other",
        annotations: { read_only: true, ..answer },
        call: |_cx| async { Ok("42") },
        ..answer
    };
}
