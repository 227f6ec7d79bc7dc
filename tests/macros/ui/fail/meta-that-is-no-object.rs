use grange::resource;

fn main() {
    let _ = resource! {
        uri: "docs://guide",
        name: "guide",
        meta: "ui",
        text: "# Guide",
    };
}
