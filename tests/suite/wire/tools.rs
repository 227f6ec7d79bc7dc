//! Tools: lists, calls, progress, mirrored arguments and missing capabilities, in addition to the transcripts.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use grange_core::{ContentBlock, Item, Server, Status, Structured, Tool, ToolBuilder, ToolError, ToolResult, schemars};
use serde_json::{Value, json};

use crate::raw::{self, Answer, Pipe, exchange, modern_body};

fn tool(name: &'static str) -> ToolBuilder {
    Tool::builder().name(name).description("A tool.")
}

fn server(tools: impl IntoIterator<Item = Tool>) -> Server {
    Server::builder("t", "1").tools(tools).build().expect("a server")
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Sum {
    terms: Vec<f64>,
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Total {
    total: f64,
}

fn sum() -> Tool {
    tool("sum").call(|_cx, args: Sum| async move { Ok(Structured(Total { total: args.terms.iter().sum() })) })
}

fn call(server: &Server, params: Value) -> Answer {
    raw::modern(server, "tools/call", params)
}

#[test]
fn w1_4_tools_are_declared_if_and_only_if_their_methods_are_served() {
    let capabilities =
        |server: &Server| raw::modern(server, "server/discover", json!({})).result()["capabilities"].clone();
    let none = Server::builder("t", "1").build().expect("a server");
    assert_eq!(capabilities(&none), json!({}));
    for method in ["tools/list", "tools/call"] {
        assert_eq!(raw::modern(&none, method, json!({ "name": "sum" })).code(), -32601);
    }
    let empty = server([]);
    assert_eq!(capabilities(&empty), json!({ "tools": {} }));
    assert_eq!(raw::modern(&empty, "tools/list", json!({})).result()["tools"], json!([]));
    assert_eq!(capabilities(&server([sum()])), json!({ "tools": {} }));
}

#[test]
fn a_typed_tool_has_the_schemas_of_its_types_and_structured_content() {
    let server = server([sum()]);
    let listed = &raw::modern(&server, "tools/list", json!({})).result()["tools"][0];
    assert_eq!(listed["inputSchema"]["type"], "object");
    assert_eq!(listed["inputSchema"]["required"], json!(["terms"]));
    assert_eq!(listed["outputSchema"]["properties"]["total"]["type"], "number");
    let called = call(&server, json!({ "name": "sum", "arguments": { "terms": [1, 2.5] } })).result();
    assert_eq!(called["structuredContent"], json!({ "total": 3.5 }));
    assert_eq!(called["content"], json!([{ "type": "text", "text": "{\"total\":3.5}" }]));
    assert_eq!(called.get("isError"), None);
}

#[test]
fn w3_15_invalid_arguments_are_a_result_since_2025_11_25_and_an_error_before() {
    let server = server([sum()]);
    for (arguments, problem) in [
        (json!({}), "missing field `terms`"),
        (json!({ "terms": "1" }), "invalid type: string \"1\", expected a sequence"),
    ] {
        let params = json!({ "name": "sum", "arguments": arguments });
        let check = |result: &Value| {
            assert_eq!(result["isError"], true);
            assert_eq!(result["content"], json!([{ "type": "text", "text": format!("Invalid arguments: {problem}") }]));
        };
        check(&call(&server, params.clone()).result());
        check(&raw::legacy(&server, "2025-11-25", "tools/call", &params).result());
        for before in ["2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"] {
            let answer = Pipe::opened(&server, before).request("tools/call", &params);
            assert_eq!(answer["error"]["code"], -32602, "{before}");
            assert_eq!(answer["error"]["message"], format!("Invalid params: \"arguments\": {problem}"));
        }
    }
}

#[test]
fn w3_15_an_unknown_tool_is_invalid_params_and_not_a_rejection() {
    for name in ["none", "", "SUM", "sum "] {
        let answer = call(&server([sum()]), json!({ "name": name }));
        // A header cannot carry spaces around a name.
        if name == "sum " {
            assert_eq!(answer.code(), -32020);
            continue;
        }
        assert_eq!((answer.code(), answer.status.clone()), (-32602, Status::Ok), "{name:?}");
        assert_eq!(answer.json()["error"]["message"], format!("Unknown tool: {name}"));
    }
}

#[test]
fn w3_15_progress_needs_a_token_grows_strictly_and_comes_before_the_result() {
    let steps = tool("steps").call_without_arguments(|cx| async move {
        for progress in [0.0, 0.0, -1.0, 2.0, f64::INFINITY, 1.0, 3.5] {
            cx.progress(progress);
        }
        Ok("done")
    });
    let server = server([steps]);
    let mut pipe = Pipe::opened(&server, "2025-11-25");
    let say = |pipe: &mut Pipe, token: &str| {
        pipe.say(&format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"steps","_meta":{{{token}}}}}}}"#
        ))
    };
    let lines = say(&mut pipe, r#""progressToken":"t""#);
    let progress: Vec<_> = lines.iter().filter_map(|line| line["params"]["progress"].as_f64()).collect();
    assert_eq!(progress, [0.0, 2.0, 3.5]);
    assert!(lines[..3].iter().all(|line| line["params"]["progressToken"] == "t"));
    assert_eq!(lines[3]["result"]["content"][0]["text"], "done");
    for none in ["", r#""progressToken":null"#, r#""progressToken":1.5"#, r#""progressToken":{}"#] {
        assert_eq!(say(&mut pipe, none).len(), 1, "{none}");
    }
}

#[test]
fn unread_progress_is_reduced_to_the_newest() {
    let busy = tool("busy").call_without_arguments(|cx| async move {
        for progress in 0..100_000 {
            cx.progress((f64::from(progress), 1e5));
        }
        Ok("done")
    });
    let server = server([busy]);
    let mut pipe = Pipe::opened(&server, "2025-11-25");
    let line = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"busy","_meta":{"progressToken":1}}}"#;
    let lines = pipe.say(line);
    assert!(lines.len() <= 20, "{} lines", lines.len());
    assert_eq!(lines[lines.len() - 2]["params"]["progress"], 99_999.0);
}

#[test]
fn w3_16_a_client_that_accepts_only_json_gets_no_progress() {
    let steps = tool("steps").call_without_arguments(|cx| async move {
        cx.progress(1.0);
        Ok("done")
    });
    let server = server([steps]);
    let body =
        modern_body(&json!(1), "tools/call", json!({ "name": "steps", "_meta": meta_with("progressToken", json!(1)) }));
    let answer = exchange(&server, raw::mirrored(&body), body.to_string().as_bytes()).expect("an answer");
    assert_eq!(answer.events.len(), 1);
    let only_json = raw::JsonOnly(raw::mirrored(&body));
    let accepted = server.accept(&body.to_string().into(), &only_json);
    let grange_core::Accepted::Run(mut job) = accepted else { panic!("a call is work") };
    let std::task::Poll::Ready(grange_core::JobEvent::Done(..)) = job.poll_now() else {
        panic!("nothing before the result")
    };
}

fn meta_with(name: &str, value: Value) -> Value {
    let mut meta = raw::meta();
    meta[name] = value;
    meta
}

#[test]
fn w3_14_w5_4_a_handlers_missing_capability_error_names_the_capability() {
    let needs = tool("samples").call_without_arguments(|cx| async move {
        if !cx.client_capabilities().contains_key("sampling") {
            return Err(ToolError::missing_capabilities(json!({ "sampling": {} })));
        }
        Ok("sampled")
    });
    let server = server([needs]);
    let answer = call(&server, json!({ "name": "samples" }));
    assert_eq!((answer.code(), answer.status.clone()), (-32021, Status::Invalid));
    assert_eq!(answer.json()["error"]["data"], json!({ "requiredCapabilities": { "sampling": {} } }));
    let able = json!({ raw::VERSION_KEY: raw::MODERN, raw::CAPABILITIES_KEY: { "sampling": {} } });
    assert_eq!(call(&server, json!({ "name": "samples", "_meta": able })).result()["content"][0]["text"], "sampled");
    let legacy = raw::legacy(&server, "2025-06-18", "tools/call", &json!({ "name": "samples" }));
    assert_eq!((legacy.code(), legacy.status.clone()), (-32600, Status::Ok));
}

#[test]
fn a_tool_gets_its_own_name_and_the_revision() {
    let named = tool("told").call_without_arguments(|cx| async move {
        assert_eq!(cx.uri(), "");
        Ok(format!("{:?} {:?}", cx.tool(), cx.protocol_version()))
    });
    let answer = call(&server([named]), json!({ "name": "told" })).result();
    assert_eq!(answer["content"][0]["text"], r#"Some("told") Some("2026-07-28")"#);
}

#[test]
fn w3_12_a_panic_in_any_part_of_a_tool_is_an_internal_error_of_that_call() {
    #[derive(schemars::JsonSchema)]
    struct Explosive {}
    impl<'de> serde::Deserialize<'de> for Explosive {
        fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
            panic!("secret=1")
        }
    }
    let failures = Arc::new(AtomicUsize::new(0));
    let count = failures.clone();
    let reading = tool("reading").call(|_cx, _: Explosive| async { Ok("") });
    let starting = tool("starting")
        .call_without_arguments(|_cx| -> std::future::Ready<Result<String, ToolError>> { panic!("secret=2") });
    let built = Server::builder("t", "1").tools([reading, starting]).on_error(move |failure, cx| {
        assert!(failure.to_string().contains("secret") && cx.tool().is_some());
        count.fetch_add(1, Ordering::SeqCst);
    });
    let server = built.build().expect("a server");
    for name in ["reading", "starting"] {
        let answer = call(&server, json!({ "name": name }));
        assert_eq!(answer.json()["error"], json!({ "code": -32603, "message": "Internal error" }));
    }
    assert_eq!(failures.load(Ordering::SeqCst), 2);
}

#[test]
fn w3_5_a_result_is_validated_before_it_is_sent() {
    for broken in [
        ToolResult::new().content(ContentBlock::image_base64("no", "image/png")),
        ToolResult::new().content(ContentBlock::audio(vec![1], "audio")),
        ToolResult::new().content(ContentBlock::resource(Item::text("relative", "x"))),
        ToolResult::new().content(ContentBlock::link(grange_core::Link::new("docs://a", ""))),
        ToolResult::new().text("x").meta("-", 1),
        ToolResult::new().content(ContentBlock::text("x").meta("a/b/c", 1)),
        ToolResult::new().structured(Unserializable),
    ] {
        let giving = broken.clone();
        let gives = tool("gives").call_without_arguments(move |_cx| {
            let result = giving.clone();
            async move { Ok(result) }
        });
        let failures = Arc::new(AtomicUsize::new(0));
        let count = failures.clone();
        let built = Server::builder("t", "1").tool(gives).on_error(move |failure, _cx| {
            // A panic in `on_error` is caught, so only the count shows whether the check passed.
            assert!(matches!(failure, grange_core::HandlerFailure::InvalidResult(faults) if faults.len() == 1));
            count.fetch_add(1, Ordering::SeqCst);
        });
        let answer = call(&built.build().expect("a server"), json!({ "name": "gives" }));
        assert_eq!((answer.code(), failures.load(Ordering::SeqCst)), (-32603, 1), "{broken:?}");
    }
}

struct Unserializable;

impl serde::Serialize for Unserializable {
    fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("no"))
    }
}

/// A call of a tool with an integer, a text and a nested flag in headers.
fn mirrored_call(arguments: &Value, headers: &[(&'static str, &str)]) -> Answer {
    let schema = json!({ "type": "object", "properties": {
        "text": { "type": "string", "x-mcp-header": "Text" },
        "count": { "type": "integer", "x-mcp-header": "Count" },
        "deep": { "type": "object", "properties": { "flag": { "type": "boolean", "x-mcp-header": "Flag" } } },
    }});
    let server = server([tool("m")
        .input_schema(schema)
        .call_with_schema(|_cx, args: Value| async move { Ok(args.to_string()) })]);
    let body = modern_body(&json!(1), "tools/call", json!({ "name": "m", "arguments": arguments }));
    let mut all = raw::mirrored(&body);
    all.extend(headers.iter().map(|(name, value)| (*name, value.as_bytes().to_vec())));
    exchange(&server, all, body.to_string().as_bytes()).expect("an answer")
}

#[test]
fn w5_2_mirrored_arguments_must_have_equal_headers() {
    let deep = json!({ "deep": { "flag": true } });
    for (arguments, headers, fits) in [
        (json!({}), vec![], true),
        (json!({ "text": null }), vec![], true),
        (json!({ "text": "a" }), vec![("mcp-param-text", "a")], true),
        (json!({ "text": "a" }), vec![("mcp-param-text", " a\t")], true),
        (json!({ "text": "a" }), vec![], false),
        (json!({ "text": "a" }), vec![("mcp-param-text", "A")], false),
        (json!({ "text": "a" }), vec![("mcp-param-text", "a"), ("mcp-param-text", "a")], false),
        (json!({ "text": "caf\u{e9}" }), vec![("mcp-param-text", "=?base64?Y2Fmw6k=?=")], true),
        (json!({ "text": "caf\u{e9}" }), vec![("mcp-param-text", "caf\u{e9}")], false),
        (json!({ "text": "a" }), vec![("mcp-param-text", "=?base64?YQ?=")], false),
        (json!({ "text": "YQ==" }), vec![("mcp-param-text", "YQ==")], true),
        (json!({ "count": 42 }), vec![("mcp-param-count", "42")], true),
        (json!({ "count": 42 }), vec![("mcp-param-count", "42.0")], true),
        (json!({ "count": 42 }), vec![("mcp-param-count", "43")], false),
        (json!({ "count": -7 }), vec![("mcp-param-count", "-7")], true),
        (json!({ "count": 7 }), vec![("mcp-param-count", "x")], false),
        (json!({ "count": 9_007_199_254_740_993_u64 }), vec![("mcp-param-count", "9007199254740992")], false),
        (deep.clone(), vec![("mcp-param-flag", "true")], true),
        (deep.clone(), vec![("mcp-param-flag", "True")], false),
        (deep, vec![], false),
        (json!({}), vec![("mcp-param-text", "a")], false),
        (json!({ "text": null }), vec![("mcp-param-text", "null")], false),
        (json!({}), vec![("mcp-param-other", "a")], true),
    ] {
        let answer = mirrored_call(&arguments, &headers);
        if fits {
            assert_eq!(answer.status.clone(), Status::Ok, "{arguments} {headers:?} {}", answer.text);
            answer.result();
        } else {
            assert_eq!((answer.code(), answer.status.clone()), (-32020, Status::Invalid), "{arguments} {headers:?}");
        }
    }
}

#[test]
fn arguments_are_mirrored_only_over_http_in_revisions_with_mirrored_headers() {
    let schema = json!({ "type": "object", "properties": { "text": { "type": "string", "x-mcp-header": "Text" } } });
    let server = server([tool("m").input_schema(schema).call_with_schema(|_cx, _: Value| async { Ok("ok") })]);
    let params = json!({ "name": "m", "arguments": { "text": "a" } });
    raw::legacy(&server, "2025-11-25", "tools/call", &params).result();
    let mut pipe = Pipe::new(&server);
    let answer = pipe.ask(&modern_body(&json!(1), "tools/call", params).to_string());
    assert_eq!(answer["result"]["content"][0]["text"], "ok");
}

#[test]
fn build_reports_all_errors_in_tools_at_once() {
    let annotated =
        |schema: Value| tool("annotated").input_schema(schema).call_with_schema(|_cx, _: Value| async { Ok("") });
    let property = |property: Value| json!({ "type": "object", "properties": { "p": property } });
    let string = |name: &str| json!({ "type": "string", "x-mcp-header": name });
    let tools = [
        Tool::builder().call_without_arguments(|_cx| async { Ok("") }),
        tool("read file").call_without_arguments(|_cx| async { Ok("") }),
        tool("twice").call_without_arguments(|_cx| async { Ok("") }),
        tool("twice").call_without_arguments(|_cx| async { Ok("") }),
        tool("none").call_with_schema(|_cx, _: Value| async { Ok("") }),
        tool("array").call(|_cx, _: Vec<u8>| async { Ok("") }),
        tool("text").input_schema("{not json").call_with_schema(|_cx, _: Value| async { Ok("") }),
        tool("out").output_schema(json!(7)).call_without_arguments(|_cx| async { Ok("") }),
        annotated(property(string(""))),
        annotated(property(string("a b"))),
        annotated(property(json!({ "type": "number", "x-mcp-header": "N" }))),
        annotated(property(json!({ "type": "string", "x-mcp-header": 7 }))),
        annotated(json!({ "type": "object", "properties": { "a": string("X"), "b": string("x") } })),
        annotated(json!({ "type": "object", "properties": { "a": { "type": "array", "items": string("X") } } })),
        annotated(json!({ "type": "object", "allOf": [property(string("X"))] })),
        annotated(json!({ "type": "object", "$defs": { "d": string("X") } })),
        annotated(json!({ "type": "object", "x-mcp-header": "X" })),
    ];
    let all = Server::builder("t", "1").tools(tools).build().expect_err("the build must fail").to_string();
    for expected in [
        "tool ``: name is empty: give the tool one, such as `read_file`",
        "tool `read file`: name has ' ': use only ASCII letters",
        "tool `twice`: the name is declared twice",
        "tool `none`: there is no input schema",
        "tool `array`: the input schema must have `\"type\": \"object\"`",
        "tool `text`: the input schema is no JSON",
        "tool `out`: the output schema is no JSON object",
        "x-mcp-header \"\" is empty",
        "x-mcp-header \"a b\" is no part of a header name",
        "x-mcp-header \"N\" needs an argument of type string, integer or boolean",
        "x-mcp-header 7 must be a string",
        "x-mcp-header \"x\" stands twice",
    ] {
        assert!(all.contains(expected), "{expected:?} is not in\n{all}");
    }
    assert_eq!(all.matches("x-mcp-header \"X\" stands where a client cannot reach it").count(), 4, "{all}");
}

#[tokio::test]
async fn a_tool_can_be_called_directly_in_a_test() {
    let context = grange_testkit::TestContext::new();
    let result = sum().call(&context, json!({ "terms": [2] })).await.expect("a result");
    assert_eq!(result.structured_content(), Some(&json!({ "total": 2.0 })));
    let error = sum().call(&context, json!({})).await.expect_err("no terms");
    assert_eq!(error.to_string(), "the arguments do not fit: missing field `terms`");
    let refuses = tool("r").call_without_arguments(|_cx| async { Err::<String, _>(ToolError::failed("no")) });
    assert!(refuses.call(&context, json!({})).await.expect("a result").is_error());
}

#[test]
fn w3_11_a_cancelled_call_in_a_session_sends_nothing_more() {
    use grange_core::{Accepted, JobEvent, Lookup};
    let waits = tool("waits").call_without_arguments(|cx| async move {
        // Runs in its own task, which is not dropped at the end of the call.
        let asking = cx.clone();
        let request = async move { asking.request("x/y", json!({}), std::time::Duration::from_secs(1)).await };
        let mut request = Box::pin(request);
        std::future::poll_fn(|task| {
            cx.progress(1.0);
            std::task::Poll::Ready(request.as_mut().poll(task).is_pending())
        })
        .await;
        std::mem::forget(request);
        std::future::pending::<()>().await;
        Ok("never")
    });
    let server = server([waits]);
    let post = |lookup: &Lookup, body: Value| server.accept(&body.to_string().into(), &raw::InSession(lookup.clone()));
    let client = json!({ "name": "t", "version": "1" });
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
    let opening =
        post(&Lookup::Missing, json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }));
    let Accepted::Open(opening) = opening else { panic!("a handshake opens a session") };
    let known = Lookup::Known(opening.accept().1);
    post(&known, json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    let params = json!({ "name": "waits", "_meta": { "progressToken": 1 } });
    let call = post(&known, json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }));
    let Accepted::Run(mut job) = call else { panic!("a call is work") };
    let std::task::Poll::Ready(JobEvent::Event(_)) = job.poll_now() else { panic!("the first message is sent") };
    post(&known, json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } }));
    assert!(matches!(job.poll_now(), std::task::Poll::Ready(JobEvent::Cancelled)));
}
