fn main() {
    let _ = grange::resource! { uri: "demo://a", name: "a", text: "", complete: { id: ["1"] } };
    let _ = grange::tool! { name: "a", call: |_cx| async { Ok("") }, complete: { id: ["1"] } };
}
