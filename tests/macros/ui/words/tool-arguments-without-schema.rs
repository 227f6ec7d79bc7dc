use grange::tool;
use serde::Deserialize;
#[derive(Deserialize)]
struct Args { city: String }
fn main() {
    let _ = tool! {
        name: "forecast",
        call: |_cx, args: Args| async move { Ok(args.city) },
    };
}
