use grange::resource;

fn main() {
    let _ = resource! {
        uri: "docs://guide",
        name: "guide",
        ttl: -60,
        text: "# Guide",
    };
}
