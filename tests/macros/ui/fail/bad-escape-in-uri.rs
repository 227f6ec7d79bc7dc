use grange::resource;

fn main() {
    let _ = resource! {
        uri: "demo://x/%zz",
        name: "guide",
        text: "# Guide",
    };
}
