use grange::{resource, template};
fn main() {
    let report = resource! {
        uri: "reports://year",
        name: "report",
        text: "a report",
        check: |_cx| async { Ok("yes") },
    };
    let order = template! {
        uri: "orders://{id}",
        name: "order",
        read: |_cx, id: u64| async move { Ok(id.to_string()) },
        check: |_cx, id: u64| async move { id == 1 },
    };
}
