use grange::resource;

fn main() {
    let _ = resource! {
        uri: "docs://guide",
        name: "guide",
        icons: [{ src: "javascript:x" }],
        text: "# Guide",
    };
}
