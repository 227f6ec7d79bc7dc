use std::rc::Rc;
use grange::tool;
async fn later() {}
fn main() {
    let _ = tool! {
        name: "page",
        call: |_cx| async move {
            let text = Rc::new("x".to_owned());
            later().await;
            Ok(text.as_str().to_owned())
        },
    };
}
