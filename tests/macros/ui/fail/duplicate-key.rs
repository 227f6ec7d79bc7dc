use grange::resource;

fn main() {
    let _ = resource! {
        uri: "docs://guide",
        name: "guide",
        title: "Guide",
        title: "The guide",
        text: "# Guide",
    };
}
