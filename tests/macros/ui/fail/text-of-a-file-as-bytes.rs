fn main() {
    let _ = grange::resource! {
        uri: "demo://a",
        name: "a",
        bytes: std::include_str!("text-of-a-file-as-bytes.rs"),
    };
}
