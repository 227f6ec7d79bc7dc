use grange::{Resource, resource};
pub fn page(bytes: &[u8]) -> Resource {
    resource! {
        uri: "docs://page",
        name: "page",
        bytes: bytes,
    }
}
fn main() {}
