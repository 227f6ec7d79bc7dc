use grange::{Context, resource, schemars, tool};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct City {
    name: String,
}

type Cx = Context;

fn main() {
    let _ = tool! { name: "forecast", call: |args: City| async move { Ok(args.name) } };
    let _ = resource! { uri: "docs://a", name: "a", read: |id: String| async move { Ok(id) } };
    let _ = resource! { uri: "docs://b", name: "b", read: |cx: &Context| async move { Ok(cx.uri().to_string()) } };
    // An alias of the context is valid.
    let _ = resource! { uri: "docs://c", name: "c", read: |cx: Cx| async move { Ok(cx.uri().to_string()) } };
    let _ = tool! { name: "same", call: |_cx: Cx, args: City| async move { Ok(args.name) } };
}
