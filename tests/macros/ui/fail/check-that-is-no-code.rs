fn main() {
    let _ = grange::resource! { uri: "demo://a", name: "a", text: "", check: true };
    let one = grange::template! { uri: "demo://{id}", name: "one", read: |_cx, id: u64| async move { Ok(id.to_string()) } };
    let _ = grange::template! { check: false, ..one };
    let _ = grange::template! { check: |_cx| async { Ok(true) }, ..one };
}
