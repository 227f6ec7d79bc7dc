//! The macros produce the same as the builders. The package `tests/macros` tests which input they accept.

use std::iter;
use std::time::Duration;

use bytes::Bytes;
use grange::{Annotations, CacheScope, Icon, Resource, Role, Server, Theme, resource};
use grange_core::{Action, Connection};
use serde_json::json;

#[test]
fn a_macro_equals_its_builder() {
    let by_macro = resource! {
        uri: "docs://guide",
        name: "guide",
        title: "Guide",
        description: "What to know first.",
        mime_type: "text/markdown",
        size: 9_007_199_254_740_993,
        annotations: { audience: [Assistant, User], priority: 1, last_modified: "2026-01-01T00:00:00Z" },
        icons: [{ src: "https://example.com/icon.png", mime_type: "image/png", sizes: ["48x48", "any"], theme: Light }],
        meta: { "example.com/key": [1, null], ui: { "csp": true } },
        content_meta: { "example.com/part": 1 },
        ttl: Duration::from_secs(60),
        cache_scope: Public,
        text: "# Guide",
    };
    let hints = Annotations::new().audience([Role::Assistant, Role::User]).priority(1.0);
    let icon = Icon::new("https://example.com/icon.png").mime_type("image/png").size("48x48").size("any");
    let by_hand = Resource::builder()
        .uri("docs://guide")
        .name("guide")
        .title("Guide")
        .description("What to know first.")
        .mime_type("text/markdown")
        .size(9_007_199_254_740_993)
        .annotations(hints.last_modified("2026-01-01T00:00:00Z"))
        .icons([icon.theme(Theme::Light)])
        .meta(json!({ "example.com/key": [1, null], "ui": { "csp": true } }))
        .content_meta(json!({ "example.com/part": 1 }))
        .ttl(Duration::from_secs(60))
        .cache_scope(CacheScope::Public)
        .text("# Guide")
        .build();
    let served = all_messages(by_macro.clone());
    assert_eq!(served, all_messages(by_hand.clone()));
    assert!(served.contains(r#""size":9007199254740993"#) && served.contains(r#""ttlMs":60000"#), "{served}");

    let by_macro = resource! { title: "Draft", bytes: b"\0", ..by_macro };
    let by_hand = by_hand.to_builder().title("Draft").bytes(b"\0").build();
    assert_eq!(all_messages(by_macro), all_messages(by_hand));
}

/// All messages about the only resource of a server, for a legacy client and a modern one.
fn all_messages(resource: Resource) -> String {
    let server = Server::builder("t", "1").resource(resource).build().expect("the definition must be valid");
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
    let list = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"resources/list","params":{{{meta}}}}}"#);
    let read =
        format!(r#"{{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{{"uri":"docs://guide",{meta}}}}}"#);
    let initialize = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    let [old_list, old_read] = [&list, &read].map(|request| request.replace(&format!(",{meta}"), "").replace(meta, ""));
    let mut connection = Connection::new(server);
    for request in [&list, &read, initialize, &old_list, &old_read] {
        connection.handle_frame(&Bytes::copy_from_slice(request.as_bytes()));
    }
    let answers = iter::from_fn(|| connection.poll_action()).map(|action| match action {
        Action::Send(answer) => String::from_utf8(answer.into_bytes().to_vec()).expect("the output must be UTF-8"),
        action => panic!("fixed contents need no job: {action:?}"),
    });
    let answers: Vec<String> = answers.collect();
    assert!(answers.len() == 5 && answers.iter().all(|answer| !answer.contains("\"error\"")), "{answers:?}");
    answers.join("\n")
}
