fn main() {
    let _ = grange::resource! {
        uri: "demo://a",
        name: "a",
        read: include_str!("file-as-reader.rs"),
    };
}
