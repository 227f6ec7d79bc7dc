use grange::template;
struct Order {
    id: u64,
}
fn main() {
    let _ = template! {
        uri: "orders://{id}",
        name: "order",
        read: |_cx, Order { id }| async move { Ok(id.to_string()) },
    };
}
