use grange::resource;

fn main() {
    let _ = resource! {
        uri: "demo://café",
        name: "guide",
        text: "# Guide",
    };
}
