use grange::resource;

fn main() {
    let _ = resource! {
        uri: "docs://guide",
        name: "guide",
        cache_scope: Shared,
        text: "# Guide",
    };
}
