//! The macro produces the same as the builder, for clients of every revision.

use grange::{Icon, Revision, Server, Theme, Tool, ToolAnnotations, tool};
use serde_json::{Value, json};

/// All messages about the only tool of a server.
async fn said_of(tool: &Tool, revision: Revision) -> [Value; 2] {
    let server = Server::builder("t", "1").tool(tool.clone()).build().expect("the definition must be valid");
    let mut client = grange_testkit::connect(&server, revision).await.expect("a connection");
    let list = client.request("tools/list", json!({})).await.expect("the tools");
    let call = json!({ "name": tool.name(), "arguments": { "city": "Oslo" } });
    [list, client.request("tools/call", call).await.expect("a result")]
}

#[tokio::test]
async fn the_macro_produces_the_same_as_the_builder() {
    let by_macro = tool! {
        name: "weather",
        title: "Weather",
        description: "Says how the weather is in a city.",
        annotations: { title: "W", read_only: true, destructive: false, idempotent: true, open_world: false },
        icons: [{ src: "https://example.com/icon.png", mime_type: "image/png", sizes: ["48x48", "any"], theme: Light }],
        meta: { "example.com/key": [1, null], ui: { "csp": true } },
        call: |_cx, args: Value| async move { Ok(format!("Sunny in {}", args["city"])) },
        input_schema: { type: "object", "properties": { "city": { "type": "string" } } },
    };
    let hints = ToolAnnotations::new().title("W").read_only(true).destructive(false).idempotent(true).open_world(false);
    let icon = Icon::new("https://example.com/icon.png").mime_type("image/png").size("48x48").size("any");
    let by_hand = Tool::builder()
        .name("weather")
        .title("Weather")
        .description("Says how the weather is in a city.")
        .annotations(hints)
        .icons([icon.theme(Theme::Light)])
        .meta(json!({ "example.com/key": [1, null], "ui": { "csp": true } }))
        .input_schema(json!({ "type": "object", "properties": { "city": { "type": "string" } } }))
        .call_with_schema(|_cx, args: Value| async move { Ok(format!("Sunny in {}", args["city"])) });
    for revision in Revision::ALL {
        let said = said_of(&by_macro, revision).await;
        assert_eq!(said, said_of(&by_hand, revision).await, "{revision:?}");
        let [list, call] = said;
        assert_eq!(list["tools"][0]["inputSchema"]["properties"]["city"]["type"], "string");
        assert_eq!(call["content"][0]["text"], "Sunny in \"Oslo\"");
    }
}
