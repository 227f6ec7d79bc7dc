use grange::resource;

fn main() {
    let _ = resource! {
        uri: "docs://guide",
        name: "guide",
        annotations: 0.8,
        text: "# Guide",
    };
}
