use grange::resource;
fn load() -> Result<String, Box<dyn std::error::Error>> { Ok("x".into()) }
fn main() {
    let _ = resource! {
        uri: "docs://page",
        name: "page",
        read: |_cx| async move { Ok(load()?) },
    };
}
