use grange::resource;

fn main() {
    let _ = resource! {
        name: "guide",
        text: "# Guide",
    };
}
