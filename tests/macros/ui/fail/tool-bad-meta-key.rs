use grange::tool;

fn main() {
    let _ = tool! {
        name: "answer",
        meta: { "not a key": 1 },
        call: |_cx| async { Ok("42") },
    };
}
