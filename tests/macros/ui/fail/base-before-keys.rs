use grange::resource;

fn main() {
    let guide = resource! { uri: "docs://guide", name: "guide", text: "# Guide" };
    let _ = resource! {
        ..guide,
        title: "The guide",
    };
}
