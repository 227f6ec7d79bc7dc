use grange::resource;

fn main() {
    let _ = resource! {
        uri: "Demo://x",
        name: "guide",
        text: "# Guide",
    };
}
