//! The expansion looks nothing up where it is written: names that shadow its own do no harm.

#![allow(unused)]

mod core {}
mod std {}

struct Resource;
struct Annotations;
struct Role;
struct Icon;

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
}
