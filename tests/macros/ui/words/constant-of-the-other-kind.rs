use grange::resource;
const LOGO: &[u8] = include_bytes!("static-resource.rs");
const PAGE: &str = include_str!("static-resource.rs");
fn main() {
    let _ = resource! { uri: "docs://a", name: "a", text: LOGO };
    let _ = resource! { uri: "docs://b", name: "b", bytes: PAGE };
}
