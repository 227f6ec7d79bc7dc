use grange::resource;
struct MyError;
fn load() -> Result<String, MyError> { Ok("x".into()) }
fn main() {
    let _ = resource! {
        uri: "docs://page",
        name: "page",
        read: |_cx| async move { let t = load()?; Ok(t) },
    };
}
