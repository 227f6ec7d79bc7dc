use grange::resource;

fn main() {
    let _ = resource! {
        uri: "docs://guide",
        name: "guide",
        annotations: { priority: 1.5 },
        text: "# Guide",
    };
}
