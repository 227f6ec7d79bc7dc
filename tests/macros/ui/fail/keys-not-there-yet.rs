fn main() {
    let _ = grange::resource! {
        uri: "demo://a",
        name: "a",
        subscribe: true,
        text: "",
    };
}
