use grange::{Template, template};

fn any() -> Template {
    template! { uri: "demo://{country}/{city}", name: "any", read: |_cx, (): ()| async { Ok("") } }
}

fn main() {
    let _ = template! { complete: { city: || async { Ok(["Ati"]) } }, ..any() };
    let _ = template! { complete: { city: |_typed| async { Ok(["Ati"]) } }, ..any() };
    let _ = template! { complete: { city: |_cx, _typed, _country| async { Ok(["Ati"]) } }, ..any() };
    let _ = template! { complete: { city: |_typed: String, _cx: grange::Context| async { Ok(["Ati"]) } }, ..any() };
}
