use grange::resource;
fn main() {
    let _ = resource! {
        uri: "docs://page",
        name: "page",
        read: |_cx| Ok("text"),
    };
}
