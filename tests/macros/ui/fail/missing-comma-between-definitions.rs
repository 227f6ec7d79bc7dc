use grange::resources;

fn main() {
    let _ = resources![
        { uri: "docs://guide", name: "guide", text: "# Guide" }
        { uri: "docs://other", name: "other", text: "# Other" }
    ];
}
