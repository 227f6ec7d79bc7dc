fn main() {
    let _ = grange::template! {
        uriTemplate: "demo://{id}",
        name: "item",
        mime: "text/plain",
        unknown_query: Ignored,
        colour: "red",
        read: |_cx, id: String| async move { Ok(id) },
    };
}
