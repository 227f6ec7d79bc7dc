use grange::{Context, ReadError, resource};
async fn page(_cx: &Context) -> Result<String, ReadError> { Ok("x".into()) }
fn main() {
    let _ = resource! {
        uri: "docs://page",
        name: "page",
        read: page,
    };
}
