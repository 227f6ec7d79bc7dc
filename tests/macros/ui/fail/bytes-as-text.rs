fn main() {
    let _ = grange::resource! {
        uri: "demo://a",
        name: "a",
        description: include_bytes!("bytes-as-text.rs"),
        text: include_bytes!("bytes-as-text.rs"),
    };
}
