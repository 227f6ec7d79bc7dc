use grange::resource;

fn main() {
    let _ = resource! {
        uri: "docs://guide",
        name: "guide",
        mime_type: "text",
        text: "# Guide",
    };
}
