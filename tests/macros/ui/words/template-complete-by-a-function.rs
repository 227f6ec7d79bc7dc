use grange::{CompleteRequest, Context, ReadError, template};
async fn ids(_cx: Context, typed: CompleteRequest) -> Result<Vec<String>, ReadError> {
    Ok(vec![typed.value().to_owned()])
}
fn main() {
    let _ = template! {
        uri: "orders://{id}",
        name: "order",
        read: |_cx, id: u64| async move { Ok(id.to_string()) },
        complete: { id: ids },
    };
}
