use grange::resource;

fn main() {
    let _ = resource! {
        uri: "docs://guide",
        name: "guide",
        colour: "red",
        annotations: { colour: "red" },
        text: "# Guide",
    };
}
