//! The expansion looks nothing up where it is written: names that shadow its own do no harm.

#![allow(unused)]

mod core {}
mod std {}

struct Resource;
struct Annotations;
struct Role;
struct Icon;
struct Template;
struct Tool;
struct UnknownQuery;
struct ToolAnnotations;

macro_rules! json {
    () => {};
}

fn main() {
    let grange = 1;
    let root = 2;
    let guide = ::grange::resource! {
        uri: "docs://guide",
        name: "guide",
        annotations: { audience: [User] },
        icons: [{ src: "https://example.com/icon.png" }],
        meta: { grange: grange, root: root },
        text: "# Guide",
    };
    let [copy] = ::grange::resources![{ title: "Copy", ..guide }];
    assert_eq!(copy.uri(), "docs://guide");
    let template = ::grange::template! {
        uri: "docs://{name}",
        name: "page",
        meta: { grange: grange },
        unknown_query: Ignore,
        read: |_, name: String| async move { Ok(name) },
    };
    assert_eq!(::grange::template! { ..template }.name(), "page");
    let tool = ::grange::tool! {
        name: "tool",
        annotations: { read_only: true },
        icons: [{ src: "https://example.com/icon.png" }],
        meta: { grange: grange, root: root },
        input_schema: { type: "object" },
        output_schema: {},
        call: |_| async { Ok("") },
    };
    assert_eq!(tool.name(), "tool");
}
