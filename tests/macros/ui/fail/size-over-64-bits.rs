use grange::resource;

fn main() {
    let _ = resource! {
        uri: "docs://guide",
        name: "guide",
        size: 18446744073709551616,
        text: "# Guide",
    };
}
