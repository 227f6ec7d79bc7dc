use grange::resource;

fn main() {
    let guide = resource! { uri: "docs://guide", name: "guide", text: "# Guide" };
    let _ = resource! {
        annotations: { priority: 0.8, ..guide },
        ..guide
    };
}
