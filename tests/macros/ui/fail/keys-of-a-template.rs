fn main() {
    let _ = grange::resource! {
        uri_template: "demo://{id}",
        name: "a",
        list: |_cx| async { Ok(["demo://1"]) },
        complete: |_cx| async { Ok(["1"]) },
        unknown_query: Ignore,
        text: "",
    };
}
