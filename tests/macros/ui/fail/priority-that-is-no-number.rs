use grange::resource;

fn main() {
    let _ = resource! {
        uri: "docs://guide",
        name: "guide",
        annotations: { priority: "high" },
        text: "# Guide",
    };
}
