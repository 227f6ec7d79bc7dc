use grange::resource;

fn main() {
    let _ = resource! {
        uri: "docs://guide",
        name: "guide",
        5: "Guide",
        text: "# Guide",
    };
}
