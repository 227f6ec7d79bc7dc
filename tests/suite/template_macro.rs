//! `template!`: it produces the same as the builder, for clients of every revision. `tests/macros` tests the input that it rejects.

use std::time::Duration;

use grange::{Annotations, CacheScope, Icon, Revision, Role, Server, Template, Theme, UnknownQuery, template};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Deserialize, Serialize)]
struct Page {
    name: String,
    lang: Option<String>,
}

/// All messages about the only template of a server.
async fn said_of(template: &Template, revision: Revision) -> [Value; 2] {
    let server = Server::builder("t", "1").template(template.clone()).build().expect("the definition must be valid");
    let mut client = grange_testkit::connect(&server, revision).await.expect("a connection");
    let list = client.request("resources/templates/list", json!({})).await.expect("the templates");
    let uri =
        template.uri(&Page { name: "a b".to_owned(), lang: Some("de".to_owned()) }).expect("a URI") + "&from=mail";
    [list, client.request("resources/read", json!({ "uri": uri })).await.expect("the contents")]
}

fn by_macro() -> Template {
    template! {
        uri: "docs://{name}{?lang}",
        name: "page",
        title: "Page",
        description: "One page of the guide.",
        mime_type: "text/markdown",
        annotations: { audience: [Assistant], priority: 0.5, last_modified: "2026-01-01T00:00:00Z" },
        icons: [{ src: "https://example.com/icon.png", sizes: ["48x48"], theme: Light }],
        meta: { "example.com/key": [1, null] },
        content_meta: { "example.com/content": true },
        ttl: Duration::from_secs(60),
        cache_scope: Public,
        unknown_query: Ignore,
        read: |_cx, Page { name, lang }| async move { Ok(format!("{name} in {lang:?}")) },
    }
}

fn by_hand() -> Template {
    let hints = Annotations::new().audience([Role::Assistant]).priority(0.5).last_modified("2026-01-01T00:00:00Z");
    Template::builder()
        .uri("docs://{name}{?lang}")
        .name("page")
        .title("Page")
        .description("One page of the guide.")
        .mime_type("text/markdown")
        .annotations(hints)
        .icons([Icon::new("https://example.com/icon.png").size("48x48").theme(Theme::Light)])
        .meta(json!({ "example.com/key": [1, null] }))
        .content_meta(json!({ "example.com/content": true }))
        .ttl(Duration::from_secs(60))
        .cache_scope(CacheScope::Public)
        .unknown_query(UnknownQuery::Ignore)
        .read(|_cx, Page { name, lang }| async move { Ok(format!("{name} in {lang:?}")) })
        .build()
}

#[tokio::test]
async fn the_macro_produces_the_same_as_the_builder() {
    let (by_macro, by_hand) = (by_macro(), by_hand());
    let by_base = template! { title: "Leaf", ..by_macro };
    for revision in Revision::ALL {
        let said = said_of(&by_macro, revision).await;
        assert_eq!(said, said_of(&by_hand, revision).await, "{revision:?}");
        assert_eq!(said[1]["contents"][0]["text"], "a b in Some(\"de\")", "{revision:?}");
        let by_builder = by_hand.to_builder().title("Leaf").build();
        assert_eq!(said_of(&by_base, revision).await, said_of(&by_builder, revision).await, "{revision:?}");
    }
}
