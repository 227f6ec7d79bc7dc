use grange::resource;

fn main() {
    let _ = resource! {
        uri: "not a uri at all",
        name: "guide",
        text: "# Guide",
    };
}
