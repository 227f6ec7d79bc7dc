//! Errors that a tool or a reader returns on purpose, what the client gets of them, and results that break the tool's
//! own schema.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use std::io;
use std::sync::{Arc, Mutex};

use grange_core::{
    ContentBlock, HandlerFailure, ReadError, Resource, Server, Structured, Tool, ToolBuilder, ToolError, ToolResult,
    schemars,
};
use grange_testkit::ToolCall;
use serde_json::{Value, json};

use crate::raw;
use crate::schema::clients;

fn tool(name: &'static str) -> ToolBuilder {
    Tool::builder().name(name).description("A tool.")
}

fn fails(name: &'static str, error: fn() -> ToolError) -> Tool {
    tool(name).call_without_arguments(move |_| async move { Err::<String, _>(error()) })
}

/// A server, and the failures that `on_error` got.
fn reported(tools: impl IntoIterator<Item = Tool>) -> (Server, Arc<Mutex<Vec<String>>>) {
    let reported = Arc::new(Mutex::new(Vec::new()));
    let notes = reported.clone();
    let server = Server::builder("t", "1.0.0").tools(tools).on_error(move |failure, cx| {
        notes.lock().unwrap().push(format!("{}: {failure}", cx.target()));
    });
    (server.build().unwrap(), reported)
}

fn texts(call: &ToolCall) -> Vec<&str> {
    call.content().iter().map(|block| block["text"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn d2_an_error_for_the_model_is_a_failed_result_with_its_data_in_a_second_block() {
    let busy = || ToolError::failed("Too many orders.").data(json!({ "retryAfterMs": 500 }));
    // An output schema does not apply to failures: they have no structured content.
    let promised = tool("promised").output_schema(json!({ "type": "object", "required": ["n"] }));
    let promised = promised.call_without_arguments(move |_| async move { Err::<ToolResult, _>(busy()) });
    let (server, reported) =
        reported([fails("plain", || ToolError::failed("Sharpen it.")), fails("busy", busy), promised]);
    for mut client in clients(&server).await {
        let plain = client.call_tool("plain", json!({})).await.unwrap();
        assert_eq!((plain.is_error(), texts(&plain)), (true, vec!["Sharpen it."]));
        for name in ["busy", "promised"] {
            let call = client.call_tool(name, json!({})).await.unwrap();
            assert_eq!((call.is_error(), call.structured()), (true, None));
            assert_eq!(texts(&call), ["Too many orders.", r#"{"retryAfterMs":500}"#]);
        }
    }
    assert_eq!(*reported.lock().unwrap(), [""; 0]);
}

#[tokio::test]
async fn d2_a_public_error_of_a_read_inside_a_tool_is_a_failed_result() {
    fn quota() -> Result<String, ReadError> {
        Err(ReadError::public(4290, "quota exhausted").data(json!({ "retryAfterMs": 500 })))
    }
    let through = tool("through").call_without_arguments(|_| async { Ok(quota()?) });
    let (server, reported) = reported([through]);
    for mut client in clients(&server).await {
        let call = client.call_tool("through", json!({})).await.unwrap();
        assert_eq!((call.is_error(), texts(&call)), (true, vec!["quota exhausted", r#"{"retryAfterMs":500}"#]));
        assert_eq!(call.meta()["grange/code"], 4290);
    }
    assert_eq!(*reported.lock().unwrap(), [""; 0]);
}

#[tokio::test]
async fn d2_a_protocol_error_of_a_tool_has_its_own_constructor() {
    let on_purpose = fails("on-purpose", || ToolError::protocol(4290, "quota").data(json!({ "retryAfterMs": 500 })));
    let scoped = fails("scoped", || ToolError::missing_scopes("files:read"));
    let (server, _) = reported([on_purpose, scoped]);
    for mut client in clients(&server).await {
        let error = client.call_tool("on-purpose", json!({})).await.unwrap_err();
        let data = Some(json!({ "retryAfterMs": 500 }));
        assert_eq!((error.code, &*error.message, error.data), (4290, "quota", data));
        assert!(client.call_tool("scoped", json!({})).await.is_err());
    }
}

#[tokio::test]
async fn a_direct_call_of_a_tool_fails_as_in_a_server() {
    let context = || grange_testkit::TestContext::new();
    let busy = fails("busy", || ToolError::failed("Busy.").data(json!([1])));
    assert_eq!(busy.call(context(), json!({})).await.unwrap(), ToolResult::error("Busy.").text("[1]"));
    let through = fails("through", || ReadError::public(7, "closed").into());
    let closed = ToolResult::error("closed").meta("grange/code", 7);
    assert_eq!(through.call(context(), json!({})).await.unwrap(), closed);
    let on_purpose = fails("on-purpose", || ToolError::protocol(7, "closed"));
    let failure = on_purpose.call(context(), json!({})).await.unwrap_err();
    assert!(matches!(failure, HandlerFailure::Public { code: 7, .. }), "{failure}");
    let private = fails("private", || io::Error::other("worn").into());
    assert!(matches!(private.call(context(), json!({})).await.unwrap_err(), HandlerFailure::Error(_)));
}

#[test]
fn a_reserved_code_is_reported_with_its_source_line() {
    const READ: u32 = line!() + 2;
    fn read() -> ReadError {
        ReadError::public(-32_001, "secret").data(json!({ "secret": 1 }))
    }
    const CALLED: u32 = line!() + 2;
    fn called() -> ToolError {
        ToolError::protocol(-32_768, "secret").data(1)
    }
    let page = Resource::builder().uri("docs://page").name("page").read(|_| async { Err::<String, _>(read()) }).build();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let notes = seen.clone();
    let tools = [fails("direct", called), fails("through", || read().into())];
    let server = Server::builder("t", "1").resource(page).tools(tools).on_error(move |failure, _| {
        let HandlerFailure::ReservedCode { code, at } = failure else { panic!("{failure}") };
        notes.lock().unwrap().push((*code, at.line(), failure.to_string()));
    });
    let server = server.build().unwrap();
    raw::modern(&server, "resources/read", json!({ "uri": "docs://page" }));
    for name in ["direct", "through"] {
        let answer = raw::modern(&server, "tools/call", json!({ "name": name }));
        assert_eq!(answer.json()["error"], json!({ "code": -32603, "message": "Internal error" }));
    }
    let seen = seen.lock().unwrap();
    let places: Vec<_> = seen.iter().map(|(code, line, _)| (*code, *line)).collect();
    assert_eq!(places, [(-32_001, READ), (-32_768, CALLED), (-32_001, READ)]);
    let text = &seen[0].2;
    assert!(text.contains(&format!("the error code -32001 at {}:{READ}:", file!())), "{text}");
    assert!(text.contains("choose one outside -32768 to -32000"), "{text}");
}

#[test]
fn codes_outside_the_reserved_range_are_allowed() {
    for code in [-32_769, -31_999, 0, 1, 4290, i64::MAX, i64::MIN] {
        assert!(
            matches!(HandlerFailure::from(ReadError::public(code, "")), HandlerFailure::Public { code: c, .. } if c == code)
        );
    }
    for code in [-32_768, -32_000, -32_603] {
        assert!(
            matches!(HandlerFailure::from(ReadError::public(code, "")), HandlerFailure::ReservedCode { .. }),
            "{code}"
        );
    }
}

/// Serializes to a value that does not match its schema.
#[derive(schemars::JsonSchema)]
struct Count {
    files: u32,
}

impl serde::Serialize for Count {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        json!({ "files": self.files.to_string() }).serialize(serializer)
    }
}

fn gives(result: ToolResult, schema: Value) -> Tool {
    tool("gives").output_schema(schema).call_without_arguments(move |_| {
        let result = result.clone();
        async move { Ok(result) }
    })
}

#[test]
fn w3_5_a_structured_result_that_breaks_its_schema_is_an_internal_error_with_the_path_in_the_report() {
    let files = json!({ "type": "object", "properties": { "files": { "type": "integer" } }, "required": ["files"],
        "additionalProperties": false });
    let deep = json!({ "$defs": { "n": { "type": "integer", "maximum": 3 } }, "type": "object",
        "properties": { "rows": { "type": "array", "items": { "$ref": "#/$defs/n" } } } });
    let by_type = tool("gives").call_without_arguments(|_| async { Ok(Structured(Count { files: 3 })) });
    let of = |content: Value, schema: &Value| gives(ToolResult::new().structured(content), schema.clone());
    for (breaks, expected) in [
        (of(json!({ "files": "three" }), &files), "at `/files`: \"three\" is not of type \"integer\""),
        (of(json!({}), &files), ": \"files\" is a required property"),
        (of(json!({ "files": 1, "more": 1 }), &files), "Additional properties are not allowed"),
        (of(json!({ "rows": [1, 2, 9] }), &deep), "at `/rows/2`: 9 is greater than the maximum of 3"),
        (of(json!([1]), &files), ": [1] is not of type \"object\""),
        // A client that validates does so for failed results too.
        (gives(ToolResult::error("no").structured(json!({})), files.clone()), "\"files\" is a required property"),
        (by_type, "at `/files`: \"3\" is not of type \"integer\""),
    ] {
        let (server, reported) = reported([breaks]);
        let answer = raw::modern(&server, "tools/call", json!({ "name": "gives" }));
        assert_eq!(answer.json()["error"], json!({ "code": -32603, "message": "Internal error" }), "{expected}");
        let reported = reported.lock().unwrap().clone();
        let [story] = &reported[..] else { panic!("not one: {reported:?}") };
        assert!(story.starts_with("tool `gives`: the result is invalid: the structured content breaks"), "{story}");
        assert!(story.contains(expected), "{expected} is not in {story}");
    }
}

#[test]
fn w3_5_a_valid_structured_result_is_sent_and_a_failure_needs_none() {
    let schema = json!({ "type": "object", "properties": { "files": { "type": "integer" } }, "required": ["files"] });
    for fits in [
        ToolResult::new().structured(json!({ "files": 3 })),
        ToolResult::new().structured(json!({ "files": 3.0, "more": null })),
        ToolResult::error("There are none."),
        ToolResult::error("Too many.").structured(json!({ "files": 9000 })),
    ] {
        let (server, reported) = reported([gives(fits, schema.clone())]);
        raw::modern(&server, "tools/call", json!({ "name": "gives" })).result();
        assert_eq!(*reported.lock().unwrap(), [""; 0]);
    }
}

#[test]
fn w3_5_an_unusable_output_schema_fails_the_build() {
    for (schema, expected) in [
        (json!({ "type": "objekt" }), "objekt"),
        (json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/none" } } }), "/$defs/none"),
        (
            json!({ "type": "object", "properties": { "a": { "$ref": "https://example.com/a.json" } } }),
            "example.com/a.json",
        ),
    ] {
        let built = Server::builder("t", "1").tool(gives(ToolResult::new(), schema)).build();
        let error = built.map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("tool `gives`: the output schema is none that a result could fit"), "{error}");
        assert!(error.contains(expected), "{expected} is not in {error}");
    }
}

#[test]
fn w3_5_each_kind_of_broken_result_is_reported_once() {
    for broken in [
        ToolResult::new().content(ContentBlock::image_base64("no", "image/png")),
        ToolResult::new().content(ContentBlock::audio(vec![1], "audio")),
        ToolResult::new().text("x").meta("-", 1),
    ] {
        let gives = tool("gives").call_without_arguments(move |_| {
            let result = broken.clone();
            async move { Ok(result) }
        });
        let (server, reported) = reported([gives]);
        assert_eq!(raw::modern(&server, "tools/call", json!({ "name": "gives" })).code(), -32603);
        assert_eq!(reported.lock().unwrap().len(), 1);
    }
}
