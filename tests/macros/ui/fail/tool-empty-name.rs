use grange::tool;

fn main() {
    let _ = tool! {
        name: "",
        call: |_cx| async { Ok("42") },
    };
}
