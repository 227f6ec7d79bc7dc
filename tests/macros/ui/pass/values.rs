//! C57: what the specification allows is accepted, and comes back byte for byte.

use grange::{Resource, Server, resource, resources};

fn main() {
    let resources = resources![
        { uri: "urn:isbn:0451450523", name: "urn", text: "" },
        { uri: "file:///a/b.txt", name: "file", text: "" },
        { uri: "mailto:x@example.com", name: "mailto", text: "" },
        { uri: "demo:x", name: "opaque", text: "" },
        { uri: "demo://h?q=a%2Fb#f", name: "escape", text: "" },
        { uri: "ui://p/v", name: "ui", mime_type: "text/html;profile=mcp-app", text: "" },
    ];
    assert_eq!(resources.each_ref().map(Resource::uri), [
        "urn:isbn:0451450523",
        "file:///a/b.txt",
        "mailto:x@example.com",
        "demo:x",
        "demo://h?q=a%2Fb#f",
        "ui://p/v",
    ]);
    let large = resource! {
        uri: "demo:large",
        name: "large",
        mime_type: "text/html; charset=\"utf-8\"",
        size: 9007199254740993,
        annotations: { last_modified: "2026-01-01T00:00:00Z", priority: 0 },
        bytes: b"\0",
    };
    let none: [Resource; 0] = resources![];
    let server = Server::builder("t", "1").resources(resources).resource(large).resources(none).build();
    assert!(server.is_ok());
}
