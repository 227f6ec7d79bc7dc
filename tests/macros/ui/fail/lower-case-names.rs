fn main() {
    let _ = grange::resource! {
        uri: "demo://a",
        name: "a",
        annotations: { audience: [assistant] },
        cache_scope: public,
        text: "",
    };
}
