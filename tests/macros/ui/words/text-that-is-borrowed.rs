use grange::{Resource, resource};
pub fn page(text: &str) -> Resource {
    resource! {
        uri: "docs://page",
        name: "page",
        mime_type: "text/markdown",
        text: text,
    }
}
fn main() {}
