use grange::resource;

fn main() {
    let _ = resource! {
        uri: "demo://{id}",
        name: "guide",
        text: "# Guide",
    };
}
