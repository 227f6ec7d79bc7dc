//! The fixtures of the official conformance suite, as far as this version supports them.
//!
//! ```sh
//! cargo run --example conformance -- --http 127.0.0.1:8787
//! ```

use std::time::Duration;

use grange::skills::{Skill, Skills};
use grange::{
    CacheScope, ContentBlock, Context, Item, Resource, Revision, Server, Template, Tool, ToolError, ToolResult, http,
    resources, template, tool,
};
use serde_json::{Value, json};

const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const WAV: &str = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

/// A PNG image of one red pixel.
const PIXEL: &[u8] = &[
    0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, b'I', b'H', b'D', b'R', 0, 0, 0, 1, 0, 0, 0, 1, 8,
    2, 0, 0, 0, 0x90, 0x77, 0x53, 0xde, 0, 0, 0, 0x0c, b'I', b'D', b'A', b'T', 8, 0xd7, 0x63, 0xf8, 0xcf, 0xc0, 0, 0,
    3, 1, 1, 0, 0x18, 0xdd, 0x8d, 0xb0, 0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xae, 0x42, 0x60, 0x82,
];

/// Served unchanged: a schema with keywords that most servers do not use.
const SCHEMA: &str = r##"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},"email":{"type":"string"}},"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},"then":{"required":["phone"]},"else":{"required":["email"]},"additionalProperties":false}"##;

#[tokio::main]
async fn main() -> grange::Result<()> {
    let Some(addr) = std::env::args().skip_while(|arg| arg != "--http").nth(1) else {
        eprintln!("usage: conformance --http ADDR");
        std::process::exit(2);
    };
    let server = Server::builder("conformance", "1.0.0")
        .resources(readable())
        .template(data())
        .tools(content_tools())
        .tools(other_tools());
    let server = server.extension(skills()).requests_to_client().revisions(Revision::ALL);
    server.build()?.listen(http(addr)).await
}

fn skills() -> Skills {
    let skill_md = "---\nname: git-workflow\ndescription: Follow this team's Git conventions for branching and commits\n---\n# Git workflow\n";
    let files = [("SKILL.md", skill_md), ("references/branching.md", "# Branching\n")];
    let skills = Skills::new([Skill::new("git-workflow", files)]).directory_read();
    skills.ttl(Duration::from_secs(60)).cache_scope(CacheScope::Public)
}

fn readable() -> [Resource; 2] {
    resources! [
        {
            uri: "test://static-text",
            name: "static-text",
            description: "A static text resource for testing",
            mime_type: "text/plain",
            text: "This is the content of the static text resource.",
        },
        {
            uri: "test://static-binary",
            name: "static-binary",
            description: "A static binary resource (image) for testing",
            mime_type: "image/png",
            bytes: PIXEL,
        },
    ]
}

fn data() -> Template {
    template! {
        uri: "test://template/{id}/data",
        name: "template-data",
        description: "A template with one variable for testing",
        mime_type: "application/json",
        read: |_cx, id: String| async move {
            Ok(json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") }).to_string())
        },
    }
}

/// One tool for each kind of content.
fn content_tools() -> [Tool; 6] {
    [
        tool! {
            name: "test_simple_text",
            description: "Gives text",
            call: |_cx| async { Ok("This is a simple text response for testing.") },
        },
        tool! {
            name: "test_image_content",
            description: "Gives an image",
            call: |_cx| async { Ok(ContentBlock::image_base64(PNG, "image/png")) },
        },
        tool! {
            name: "test_audio_content",
            description: "Gives audio",
            call: |_cx| async { Ok(ContentBlock::audio_base64(WAV, "audio/wav")) },
        },
        tool! {
            name: "test_embedded_resource",
            description: "Gives a resource with its contents",
            call: |_cx| async {
                let item = Item::text("test://embedded-resource", "This is an embedded resource content.");
                Ok(ContentBlock::resource(item.mime_type("text/plain")))
            },
        },
        tool! {
            name: "test_multiple_content_types",
            description: "Gives several kinds of content",
            call: |_cx| async {
                let item = Item::text("test://mixed-content-resource", r#"{"test":"data","value":123}"#);
                Ok([
                    ContentBlock::text("Multiple content types test:"),
                    ContentBlock::image_base64(PNG, "image/png"),
                    ContentBlock::resource(item.mime_type("application/json")),
                ])
            },
        },
        tool! {
            name: "test_error_handling",
            description: "Fails, and says so to the model",
            call: |_cx| async {
                Ok(ToolResult::error("This tool intentionally returns an error for testing"))
            },
        },
    ]
}

/// Tools for the protocol around a result.
fn other_tools() -> [Tool; 7] {
    [
        tool! {
            name: "test_tool_with_progress",
            description: "Says how far it has come",
            call: |cx| async move { progressing(cx).await },
        },
        tool! {
            name: "json_schema_2020_12_tool",
            description: "Has a schema that must arrive as it is",
            input_schema: SCHEMA,
            call: |_cx, args: Value| async move { Ok(args.to_string()) },
        },
        tool! {
            name: "test_reconnection",
            description: "Closes its stream before the result, for the client to come back",
            call: |cx| async move {
                cx.suspend();
                cx.sleep(Duration::from_millis(100)).await;
                Ok("Reconnection test completed successfully. If you received this, the client properly reconnected after \
                    stream closure.")
            },
        },
        tool! {
            name: "test_missing_capability",
            description: "Needs a client that samples",
            call: |cx| async move {
                if cx.client_capabilities().contains_key("sampling") {
                    Ok("The client samples.")
                } else {
                    Err(ToolError::missing_capabilities(json!({ "sampling": {} })))
                }
            },
        },
        tool! {
            name: "test_streaming_elicitation",
            description: "Never asks the client anything",
            call: |_cx| async { Ok("Nothing was asked.") },
        },
        tool! {
            name: "test_logging_tool",
            description: "Logs nothing to the client",
            call: |_cx| async { Ok("Nothing was logged.") },
        },
        tool! {
            name: "test_custom_header",
            description: "Has an argument that HTTP clients mirror into a header",
            input_schema: json!({
                "type": "object",
                "properties": { "value": { "type": "string", "x-mcp-header": "Value" } },
                "required": ["value"],
            }),
            call: |_cx, args: Value| async move { Ok(args["value"].as_str().unwrap_or_default().to_owned()) },
        },
    ]
}

async fn progressing(cx: Context) -> Result<&'static str, ToolError> {
    for done in [0.0, 50.0, 100.0] {
        cx.progress((done, 100.0));
        cx.sleep(Duration::from_millis(50)).await;
    }
    Ok("Progress was reported.")
}
