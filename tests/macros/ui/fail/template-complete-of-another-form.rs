//! Values of `complete` that are no block of variables, and completers that are neither code nor a list.

use grange::{Template, template};

fn any() -> Template {
    template! { uri: "demo://{id}", name: "any", read: |_cx, (): ()| async { Ok("") } }
}

fn main() {
    let _ = template! { complete: ["open", "closed"], ..any() };
    let _ = template! { complete: |_cx, typed| async move { Ok([typed.value().to_owned()]) }, ..any() };
    let _ = template! { complete: { id: "open" }, ..any() };
    let _ = template! { complete: { id: include_str!("ids.txt") }, ..any() };
    let _ = template! { complete: { id: { open: "closed" } }, ..any() };
    let _ = template! { complete: { id }, ..any() };
}
