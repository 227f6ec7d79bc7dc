//! Literals and scheme obey the rules of fixed URIs.

use grange::{Template, template};

fn any() -> Template {
    template! { uri: "demo://{v}", name: "any", read: |_cx, _: ()| async { Ok("") } }
}

fn main() {
    let _ = template! { uri: "", ..any() };
    let _ = template! { uri: "orders/{id}", ..any() };
    let _ = template! { uri: "Demo://{a}", ..any() };
    let _ = template! { uri: "demo://a b/{c}", ..any() };
    let _ = template! { uri: "demo://café/{a}", ..any() };
    let _ = template! { uri: "demo://a/../{b}", ..any() };
    let _ = template! { uri: "https://{host}", ..any() };
}
