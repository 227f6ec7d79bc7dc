use grange::tool;
fn load() -> Result<String, Box<dyn std::error::Error>> { Ok("x".into()) }
fn main() {
    let _ = tool! {
        name: "load",
        call: |_cx| async move {
            let text = load()?;
            Ok(text)
        },
    };
}
