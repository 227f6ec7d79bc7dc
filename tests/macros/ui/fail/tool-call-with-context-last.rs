fn main() {
    let _ = grange::tool! {
        name: "a",
        call: |args: String, cx: grange::Context| async move { Ok(args) },
    };
}
