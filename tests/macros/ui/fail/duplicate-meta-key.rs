use grange::resource;

fn main() {
    let _ = resource! {
        uri: "docs://guide",
        name: "guide",
        meta: { ui: 1, "ui": 2 },
        text: "# Guide",
    };
}
