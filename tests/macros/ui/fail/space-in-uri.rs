use grange::resource;

fn main() {
    let _ = resource! {
        uri: "demo://a b",
        name: "guide",
        text: "# Guide",
    };
}
