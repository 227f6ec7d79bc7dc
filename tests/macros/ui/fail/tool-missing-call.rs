use grange::tool;

fn main() {
    let _ = tool! {
        name: "answer",
        title: "Answer",
    };
}
