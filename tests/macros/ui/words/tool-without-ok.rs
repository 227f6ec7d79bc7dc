use grange::tool;
fn main() {
    let _ = tool! {
        name: "load",
        call: |_cx| async move { format!("text") },
    };
}
