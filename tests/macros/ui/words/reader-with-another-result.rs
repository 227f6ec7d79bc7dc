use grange::resource;

fn load() -> Result<String, std::io::Error> {
    Ok(String::new())
}

fn main() {
    let _ = resource! { uri: "docs://a", name: "a", read: |_cx| async move { load() } };
    let _ = resource! { uri: "docs://b", name: "b", read: |_cx| async move { load().ok(); } };
}
