//! A server of tools: one for each member of a list entry, and one for each kind of result.

use std::io;

use grange_core::{
    Annotations, ContentBlock, Icon, Item, Link, Progress, Role, Server, ServerBuilder, Structured, Tool,
    ToolAnnotations, ToolBuilder, ToolError, ToolResult, schemars,
};
use serde_json::{Value, json};

/// Its standard base64 differs from the URL-safe form.
const PICTURE: &[u8] = b"\xfb\xff\x00\x01";

pub(super) fn server() -> ServerBuilder {
    let giving = [
        tool("mixed").call_without_arguments(|_cx| async { Ok(mixed()) }),
        tool("counted").call_without_arguments(|_cx| async { Ok(Structured(Count { files: 3 })) }),
        tool("listed").output_schema(json!({ "type": "array" })).call_without_arguments(|_cx| async {
            Ok(ToolResult::new().structured(json!(["a", "b"])).meta("example.com/version", 7))
        }),
        tool("steps").call_without_arguments(|cx| async move {
            cx.progress(Progress::new(1.0).total(3.0).message("cut"));
            cx.progress((0.5, 3.0));
            cx.progress((1.0, 3.0));
            cx.progress((2.0, 3.0));
            cx.progress(f64::NAN);
            Ok("done")
        }),
    ];
    let failing = [
        tool("refuses")
            .call_without_arguments(|_cx| async { Err::<String, _>(ToolError::failed("Sharpen it first.")) }),
        tool("broken")
            .call_without_arguments(|_cx| async { Err::<String, _>(io::Error::other("secret=/srv/key").into()) }),
        tool("quota").call_without_arguments(|_cx| async {
            Err::<String, _>(ToolError::protocol(4290, "quota exhausted").data(json!({ "retryAfterMs": 500 })))
        }),
        tool("samples").call_without_arguments(|_cx| async {
            Err::<String, _>(ToolError::missing_capabilities(json!({ "sampling": {} })))
        }),
        tool("panics").call_without_arguments(|_cx| async { if true { panic!("secret=/srv/key") } else { Ok("") } }),
        tool("invalid")
            .call_without_arguments(|_cx| async { Ok(ContentBlock::image_base64("not base64", "image/png")) }),
        tool("unstructured").output_schema(json!({ "type": "object" })).call_without_arguments(|_cx| async { Ok("x") }),
    ];
    let tools = [full(), region(), by_hand()];
    Server::builder("workshop", "1.2.0").on_error(|_failure, _cx| {}).tools(tools).tools(giving).tools(failing)
}

fn tool(name: &'static str) -> ToolBuilder {
    Tool::builder().name(name).description("A tool.")
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Cut {
    /// Millimetres.
    length: u32,
    wood: Option<String>,
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Count {
    files: u32,
}

/// A tool with every member of a list entry.
fn full() -> Tool {
    let hints = ToolAnnotations::new().title("Cut it").read_only(false).destructive(true);
    Tool::builder()
        .name("cut")
        .title("Cut wood")
        .description("Cuts a board to length.")
        .annotations(hints.idempotent(true).open_world(false))
        .icons([Icon::new("https://example.com/saw.png").mime_type("image/png").size("48x48")])
        .meta(json!({ "example.com/bench": 1 }))
        .call(|cx, args: Cut| async move {
            let wood = args.wood.unwrap_or_else(|| "oak".to_owned());
            Ok(format!("{}: {} mm of {wood}", cx.tool().unwrap_or("?"), args.length))
        })
}

/// An argument that HTTP clients mirror into a header.
fn region() -> Tool {
    let schema = r#"{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}"#;
    tool("region").input_schema(schema).call_with_schema(|_cx, args: Value| async move { Ok(args.to_string()) })
}

/// A schema that is passed on unchanged.
fn by_hand() -> Tool {
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
        "$defs": { "n": { "$anchor": "n", "type": "number" } }, "properties": { "n": { "$ref": "#/$defs/n" } },
        "if": { "required": ["n"] }, "then": {}, "else": {}, "additionalProperties": false,
    });
    tool("by-hand").input_schema(schema).call_with_schema(|_cx, _: Value| async { Ok("ok") })
}

fn mixed() -> ToolResult {
    let hints = Annotations::new().audience([Role::User]).priority(0.5).last_modified("2026-01-01T00:00:00Z");
    let link = Link::new("docs://plan", "plan").title("The plan").mime_type("text/plain").size(4);
    ToolResult::new()
        .text("Caf\u{e9}, \"quoted\".")
        .content(ContentBlock::image(PICTURE, "image/png").annotations(hints).meta("example.com/page", 1))
        .content(ContentBlock::audio(PICTURE, "audio/wav"))
        .content(ContentBlock::resource(
            Item::text("docs://cut", "cut").mime_type("text/plain").meta("example.com/n", 1),
        ))
        .content(ContentBlock::resource(Item::bytes("docs://chip", PICTURE)))
        .content(ContentBlock::link(link))
        .meta("example.com/version", 7)
}
