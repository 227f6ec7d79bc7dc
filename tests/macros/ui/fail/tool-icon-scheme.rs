use grange::tool;

fn main() {
    let _ = tool! {
        name: "answer",
        icons: [{ src: "javascript:alert(1)" }],
        call: |_cx| async { Ok("42") },
    };
}
