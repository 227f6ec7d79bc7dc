use grange::{Resource, resource};
static GUIDE: Resource = resource! {
    uri: "docs://guide",
    name: "guide",
    text: "x",
};
fn main() { let _ = &GUIDE; }
