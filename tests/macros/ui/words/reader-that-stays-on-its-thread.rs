use std::rc::Rc;
use grange::resource;
async fn later() {}
fn main() {
    let _ = resource! {
        uri: "docs://page",
        name: "page",
        read: |_cx| async move {
            let text = Rc::new("x".to_owned());
            later().await;
            Ok(text.as_str().to_owned())
        },
    };
}
