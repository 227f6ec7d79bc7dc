use grange::schemars::{self, JsonSchema};
use grange::tool;
#[derive(JsonSchema)]
struct Args { city: String }
fn main() {
    let _ = tool! {
        name: "forecast",
        call: |_cx, args: Args| async move { Ok(args.city) },
    };
}
