use grange::resource;

fn main() {
    let _ = resource! {
        uri: "docs://guide",
        name: "guide",
        title: "Guide"
        description: "What to know first";
        text: "# Guide",
    };
}
