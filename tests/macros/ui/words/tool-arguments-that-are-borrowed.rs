use grange::schemars::{self, JsonSchema};
use grange::tool;
use serde::Deserialize;
#[derive(Deserialize, JsonSchema)]
struct Args<'a> { city: &'a str }
fn main() {
    let _ = tool! {
        name: "forecast",
        call: |_cx, args: Args| async move { Ok(args.city.to_owned()) },
    };
}
