fn main() {
    let _ = grange::template! {
        uri: "repo://{name}/{+path}",
        name: "file",
        read: |_cx, (): ()| async { Ok("") },
        complete: { name: ["grange", "acme/grange"], path: ["src/lib.rs", "../Cargo.toml"] },
    };
}
