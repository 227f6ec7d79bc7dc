use grange::tool;

fn main() {
    let _ = tool! {
        name: 42,
        call: |_cx| async { Ok("42") },
    };
}
