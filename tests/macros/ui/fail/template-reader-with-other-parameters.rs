use grange::template;

fn main() {
    let one = template! { uri: "demo://{id}", name: "one", read: |_cx| async { Ok("") } };
    let _ = template! { read: |_cx, id: u64, more: u64| async move { Ok(format!("{id} {more}")) }, ..one };
    let _ = template! { read: |id: u64, cx: grange::Context| async move { Ok(id.to_string()) }, ..one };
    let _ = template! { read: "# One", ..one };
}
