use grange::{Template, template};

fn any() -> Template {
    template! { uri: "demo://{v}", name: "any", read: |_cx, _: ()| async { Ok("") } }
}

fn main() {
    let _ = template! { uri: "demo://guide", ..any() };
}
