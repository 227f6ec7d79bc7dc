use grange::resource;

fn main() {
    let _ = resource! {
        uri: "foo/bar",
        name: "guide",
        text: "# Guide",
    };
}
