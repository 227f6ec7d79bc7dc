//! The forms of RFC 6570 that are not supported.

use grange::{Template, template};

fn any() -> Template {
    template! { uri: "demo://{v}", name: "any", read: |_cx, _: ()| async { Ok("") } }
}

fn main() {
    let _ = template! { uri: "demo://{a,b}", ..any() };
    let _ = template! { uri: "demo://a{.x}", ..any() };
    let _ = template! { uri: "demo://a{/x}", ..any() };
    let _ = template! { uri: "demo://a{;x}", ..any() };
    let _ = template! { uri: "demo://a{#x}", ..any() };
    let _ = template! { uri: "demo://a?b=c{&x}", ..any() };
    let _ = template! { uri: "demo://{x:3}", ..any() };
    let _ = template! { uri: "demo://{x*}", ..any() };
    let _ = template! { uri: "demo://a{?x*}", ..any() };
    let _ = template! { uri: "demo://a/{+x,y}", ..any() };
}
