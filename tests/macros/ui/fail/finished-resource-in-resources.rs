use grange::{resource, resources};

fn main() {
    let guide = resource! { uri: "docs://guide", name: "guide", text: "# Guide" };
    let _ = resources![guide, { title: "The guide", ..guide }];
}
