use grange::resources;

fn main() {
    let _ = resources![uri: "docs://guide", name: "guide", text: "# Guide"];
}
