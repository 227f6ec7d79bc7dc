//! C58: nothing for a strict crate to complain about. (Clippy's part is checked by hand: it cannot run here.)

#![deny(warnings, missing_docs, unsafe_code, unused, unused_qualifications, unreachable_pub, future_incompatible)]
#![deny(nonstandard_style, rust_2018_idioms, let_underscore, single_use_lifetimes, trivial_casts, unused_results)]

use std::collections::BTreeMap;
use std::time::Duration;

use grange::{Resource, Template, Tool, resource, template, tool};

/// A resource with every key.
pub fn guide() -> Resource {
    resource! {
        uri: "docs://guide",
        name: "guide",
        title: "Guide",
        description: "What to know first.",
        mime_type: "text/markdown",
        size: 7,
        annotations: { audience: [Assistant, User], priority: 1, last_modified: "2026-01-01T00:00:00Z" },
        icons: [{ src: "https://example.com/icon.png", mime_type: "image/png", sizes: ["48x48"], theme: Light }],
        meta: { "example.com/key": [1, null, { "a": true }], ui: {} },
        content_meta: {},
        ttl: Duration::from_secs(60),
        cache_scope: Public,
        text: "# Guide",
    }
}

/// A template with every key.
pub fn pages() -> Template {
    template! {
        uri: "docs://{name}{?lang}",
        name: "page",
        title: "Page",
        description: "One page of the guide.",
        mime_type: "text/markdown",
        annotations: { audience: [Assistant, User], priority: 1, last_modified: "2026-01-01T00:00:00Z" },
        icons: [{ src: "https://example.com/icon.png", mime_type: "image/png", sizes: ["48x48"], theme: Light }],
        meta: { "example.com/key": [1, null, { "a": true }], ui: {} },
        content_meta: {},
        ttl: Duration::from_secs(60),
        cache_scope: Public,
        unknown_query: Reject,
        read: |_cx, args: BTreeMap<String, String>| async move { Ok(format!("# Page {args:?}")) },
    }
}

/// Tools with every key, of each kind of call.
pub fn tools() -> [Tool; 3] {
    let counts = tool! {
        name: "count",
        title: "Count",
        description: "Counts what is given.",
        annotations: { title: "Count", read_only: true, destructive: false, idempotent: true, open_world: false },
        icons: [{ src: "https://example.com/icon.png", mime_type: "image/png", sizes: ["48x48"], theme: Dark }],
        meta: { "example.com/key": [1, null, { "a": true }], ui: {} },
        call: |_cx, args: BTreeMap<String, u32>| async move { Ok(args.len().to_string()) },
    };
    let checks = tool! {
        name: "check",
        input_schema: { "type": "object", "properties": {} },
        output_schema: { "type": "object" },
        call: |_cx, args: BTreeMap<String, u32>| async move { Ok(args.len().to_string()) },
    };
    [counts, checks, tool! { name: "answer", call: |_| async { Ok("42") } }]
}

fn main() {
    assert_eq!(guide().name(), "guide");
    assert_eq!(pages().uri(&BTreeMap::from([("name", "one")])).as_deref(), Ok("docs://one"));
    assert_eq!(tools().map(|tool| tool.name().len()), [5, 5, 6]);
}
