use grange::tool;

fn main() {
    let _ = tool! {
        name: "answer",
        call: || async { Ok("42") },
    };
}
