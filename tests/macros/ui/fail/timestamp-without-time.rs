use grange::resource;

fn main() {
    let _ = resource! {
        uri: "docs://guide",
        name: "guide",
        annotations: { last_modified: "2026-01-01" },
        text: "# Guide",
    };
}
