use grange::template;
fn main() {
    let _ = template! {
        uri: "orders://{id}",
        name: "order",
        read: |_cx, id: u64| async move { Ok(id.to_string()) },
        complete: { id: |_cx, typed| Ok([typed.value().to_owned()]) },
    };
}
