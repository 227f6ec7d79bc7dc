use grange::resource;

fn main() {
    let _ = resource! {
        uri: "docs://guide",
        name: "guide",
        icons: [{ src: "https://example.com/icon.png", sizes: ["48", "any"] }],
        text: "# Guide",
    };
}
