use grange::resource;

fn main() {
    let _ = resource! {
        uri: "docs://guide",
        name: "guide",
        annotations: { audience: ["assistant"] },
        cache_scope: "private",
        text: "# Guide",
    };
}
