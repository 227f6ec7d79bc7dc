use grange::template;
fn main() {
    let _ = template! {
        uri: "orders://{id}",
        name: "order",
        read: |_cx, id: u64| Ok(id.to_string()),
    };
}
