fn main() {
    let _ = grange::template! {
        uri: "demo://{id}",
        name: "item",
        read: |_cx, id: String| async move { Ok(id) },
        list: |_cx, _page: ()| async { Ok(["demo://1"]) },
    };
}
