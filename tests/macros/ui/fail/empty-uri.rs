use grange::resource;

fn main() {
    let _ = resource! {
        uri: "",
        name: "guide",
        text: "# Guide",
    };
}
