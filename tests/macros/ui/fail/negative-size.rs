use grange::resource;

fn main() {
    let _ = resource! {
        uri: "docs://guide",
        name: "guide",
        size: -1,
        text: "# Guide",
    };
}
