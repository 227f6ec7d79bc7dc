//! One mistake each, at its own literal.

use grange::{Template, template};

fn any() -> Template {
    template! { uri: "demo://{v}", name: "any", read: |_cx, _: ()| async { Ok("") } }
}

fn main() {
    let _ = template! { uri: "demo://{a}{b}", ..any() };
    let _ = template! { uri: "demo://a/b{+c}", ..any() };
    let _ = template! { uri: "demo://a/{+b}.md", ..any() };
    let _ = template! { uri: "demo://a{/b*}c", ..any() };
    let _ = template! { uri: "demo://{+a}/{+b}", ..any() };
    let _ = template! { uri: "demo://a{?b}/c", ..any() };
    let _ = template! { uri: "demo://a?b=1{?c}", ..any() };
    let _ = template! { uri: "demo://{a}#b", ..any() };
    let _ = template! { uri: "demo://{a}/{a}", ..any() };
    let _ = template! { uri: "{a}://b", ..any() };
    let _ = template! { uri: "demo://{a", ..any() };
    let _ = template! { uri: "demo://{a-b}", ..any() };
}
