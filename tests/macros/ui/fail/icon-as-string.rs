use grange::resource;

fn main() {
    let _ = resource! {
        uri: "docs://guide",
        name: "guide",
        icons: ["https://example.com/icon.png"],
        text: "# Guide",
    };
}
