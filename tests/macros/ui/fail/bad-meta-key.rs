use grange::resource;

fn main() {
    let _ = resource! {
        uri: "docs://guide",
        name: "guide",
        meta: { "com.example/a b": 1 },
        content_meta: { "": 1 },
        text: "# Guide",
    };
}
