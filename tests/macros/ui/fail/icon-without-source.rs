use grange::resource;

fn main() {
    let _ = resource! {
        uri: "docs://guide",
        name: "guide",
        icons: [{ theme: Dark }],
        text: "# Guide",
    };
}
