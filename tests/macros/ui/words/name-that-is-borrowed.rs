use grange::{Resource, resource};
pub fn page(name: &str) -> Resource {
    resource! {
        uri: format!("docs://{name}"),
        name: name,
        text: "x",
    }
}
fn main() {}
