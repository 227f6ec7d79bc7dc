use grange::tool;

fn main() {
    let _ = tool! {
        name: "answer",
        call: "42",
    };
}
