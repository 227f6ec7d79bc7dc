//! Section 2 of the contract, JSON values: numbers, null, line separators, and the length of echoed values.

use grange_core::{Limits, Server, Status, Tool, ToolError};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::fixture;
use crate::raw::{self, MODERN, Pipe, modern_body, post};

/// The spellings of one integer.
const SPELLINGS: [(&str, &str); 5] =
    [("1", "1.0"), ("-3", "-3.00"), ("2", "2e0"), ("120", "1.2E+2"), ("9007199254740993", "9007199254740993.0")];

fn ping(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)
}

fn wait(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"resources/read","params":{{"uri":"docs://wait"}}}}"#)
}

#[test]
fn w2_10_an_id_is_an_integer_by_value_and_is_echoed_unchanged() {
    for (_, spelled) in SPELLINGS {
        let answer = post(&fixture::server(), None, &ping(spelled)).expect("a request is answered");
        assert!(answer.text.contains(&format!(r#""id":{spelled},"#)), "{}", answer.text);
        let answer = Pipe::new(&fixture::server()).say(&ping(spelled));
        assert_eq!(answer[0]["result"], json!({}), "{spelled}");
    }
}

#[test]
fn w2_10_ids_in_flight_and_cancellations_are_compared_by_value() {
    for (plain, spelled) in SPELLINGS {
        for (first, second) in [(plain, spelled), (spelled, plain)] {
            let mut pipe = Pipe::opened(&fixture::server(), "2025-11-25");
            assert!(pipe.say(&wait(first)).is_empty());
            assert_eq!(pipe.ask(&ping(second))["error"]["code"], -32600, "{first} {second}");
            let cancel =
                format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{second}}}}}"#);
            assert!(pipe.say(&cancel).is_empty());
            assert!(pipe.jobs.is_empty(), "{second} did not cancel {first}");
        }
    }
    // As doubles these two would be equal.
    let mut pipe = Pipe::opened(&fixture::server(), "2025-11-25");
    assert!(pipe.say(&wait("9007199254740993")).is_empty());
    assert_eq!(pipe.ask(&ping("9007199254740992"))["result"], json!({}));
}

/// Numbers outside the range of a double, and one that a double rounds to zero.
const BEYOND: [&str; 3] = ["1e400", "-1E+999", "1e-400"];

#[test]
fn w2_10_an_unused_number_beyond_a_double_is_accepted_in_any_place() {
    let long = "9".repeat(400);
    for number in BEYOND.into_iter().chain([&*long]) {
        for place in [
            format!(r#""x":{number},"params":{{}}"#),
            format!(r#""params":{{"x":{number}}}"#),
            format!(r#""params":{{"x":{{"y":[{number}]}}}}"#),
            format!(r#""params":{{"_meta":{{"x":{number}}}}}"#),
            format!(r#""x":[{{"y":{number}}}],"params":{{"x":{number},"_meta":{{"x":[{number}]}}}}"#),
        ] {
            let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"resources/list",{place}}}"#);
            let answer = Pipe::opened(&fixture::server(), "2025-11-25").ask(&line);
            assert!(answer["result"]["resources"].is_array(), "{place}: {answer}");
        }
    }
}

#[test]
fn w2_10_a_used_number_beyond_a_double_is_a_wrong_type() {
    let long = "9".repeat(400);
    for number in BEYOND.into_iter().chain([&*long]) {
        for (line, code) in [
            (format!(r#""id":1,"method":"resources/list","params":{{"cursor":{number}}}"#), -32602),
            (format!(r#""id":1,"method":"resources/read","params":{{"uri":{number}}}"#), -32602),
            (format!(r#""id":1,"method":"resources/list","params":{{"_meta":{number}}}"#), -32602),
            (format!(r#""id":1,"method":"ping","params":{number}"#), -32600),
            (format!(r#""id":1,"method":{number}"#), -32600),
            (format!(r#""id":{number},"method":"ping""#), -32600),
        ] {
            let answer = Pipe::opened(&fixture::server(), "2025-11-25").ask(&format!(r#"{{"jsonrpc":"2.0",{line}}}"#));
            assert_eq!(answer["error"]["code"], code, "{line}: {answer}");
        }
    }
}

#[test]
fn w2_10_invalid_json_beside_such_a_number_is_a_parse_error() {
    for line in [
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":1e400,"x":"\ud800"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"cursor":1e400},"x":01}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"cursor":1e400}"#,
    ] {
        assert_eq!(Pipe::new(&fixture::server()).ask(line)["error"]["code"], -32700, "{line}");
    }
    let twice = r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"cursor":1e400,"a":1,"a":2}}"#;
    assert_eq!(Pipe::new(&fixture::server()).ask(twice)["error"]["code"], -32600);
}

#[test]
fn w2_10_metadata_beside_such_a_number_reaches_the_reader() {
    let seen = std::sync::Arc::new(std::sync::Mutex::new(None));
    let keep = seen.clone();
    let read = grange_core::Resource::builder().uri("docs://meta").name("meta").read(move |cx| {
        *keep.lock().expect("no panic before") = Some(cx.meta());
        async { Ok("read") }
    });
    let server = Server::builder("tests", "1.0.0").resource(read.build()).build().expect("a server");
    let line = r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","x":1e999,"params":{"uri":"docs://meta","_meta":{"a/b":[1],"c":1e400,"d":{"e":1e400}}}}"#;
    assert!(Pipe::opened(&server, "2025-06-18").ask(line)["result"].is_object());
    let seen = seen.lock().expect("no panic before").clone().expect("the reader ran");
    assert_eq!(Value::from(seen), json!({ "a/b": [1] }));
}

#[derive(Deserialize, Serialize, grange_core::schemars::JsonSchema)]
#[schemars(crate = "grange_core::schemars")]
struct Widths {
    i8: Option<i8>,
    i16: Option<i16>,
    i32: Option<i32>,
    i64: Option<i64>,
    i128: Option<i128>,
    isize: Option<isize>,
    u8: Option<u8>,
    u16: Option<u16>,
    u32: Option<u32>,
    u64: Option<u64>,
    u128: Option<u128>,
    usize: Option<usize>,
    f32: Option<f32>,
    f64: Option<f64>,
    list: Option<Vec<u8>>,
    nested: Option<Box<Widths>>,
}

const INTEGERS: [&str; 12] = ["i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize"];

fn serialized(args: &impl Serialize) -> Result<String, ToolError> {
    Ok(serde_json::to_string(args)?)
}

fn widths() -> Tool {
    Tool::builder().name("widths").call(|_cx, args: Widths| async move { serialized(&args) })
}

fn tools() -> Server {
    Server::builder("tests", "1.0.0").tool(widths()).build().expect("a server")
}

/// Whether a call with these arguments, as JSON, reached the tool.
fn fits(arguments: &str) -> bool {
    let line = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"widths","arguments":{arguments}}}}}"#
    );
    let answer = Pipe::opened(&tools(), "2025-11-25").ask(&line);
    answer["result"].get("isError").is_none()
}

/// Whether the published schema accepts a value.
fn is_valid(arguments: &str) -> bool {
    let schema = widths().input_schema().expect("a schema").value().clone();
    let value: Value = serde_json::from_str(arguments).expect("JSON");
    jsonschema::validator_for(&schema).expect("a schema").is_valid(&value)
}

#[test]
fn w2_10_an_argument_of_every_width_is_an_integer_by_value() {
    for name in INTEGERS {
        for spelled in ["2", "2.0", "2e0", "20E-1", "-0", "-0.0"] {
            assert!(fits(&format!(r#"{{"{name}":{spelled}}}"#)), "{name} {spelled}");
        }
        for other in ["2.5", "1e-1", r#""2""#, "1e400"] {
            assert!(!fits(&format!(r#"{{"{name}":{other}}}"#)), "{name} {other}");
        }
    }
    assert!(fits(r#"{"list":[1.0,2e1],"nested":{"u8":255.0,"f64":2.0,"f32":1.5e0}}"#));
    assert!(!fits(r#"{"list":[256.0]}"#) && !fits(r#"{"nested":{"i8":-129.0}}"#));
}

#[test]
fn w2_10_a_number_is_valid_if_the_published_schema_accepts_it() {
    let edges =
        ["-129", "-128.0", "127", "128.0", "255", "256", "-1.0", "65535", "65536", "2147483648", "4294967296.0"];
    for name in INTEGERS {
        for edge in edges.into_iter().chain(["9223372036854775807", "9223372036854775808", "18446744073709551616"]) {
            let arguments = format!(r#"{{"{name}":{edge}}}"#);
            assert_eq!(fits(&arguments), is_valid(&arguments), "{arguments}");
        }
    }
}

#[test]
fn w3_18_schemas_have_only_formats_of_json_schema() {
    let list = raw::modern(&tools(), "tools/list", json!({})).result();
    let text = list.to_string();
    assert!(!text.contains("\"format\""), "{text}");
    let schema = &list["tools"][0]["inputSchema"]["properties"]["u32"];
    assert_eq!((&schema["minimum"], &schema["maximum"]), (&json!(0), &json!(u32::MAX)));
}

#[test]
fn w3_18_formats_of_json_schema_and_properties_of_that_name_stay() {
    #[derive(Deserialize, Serialize, grange_core::schemars::JsonSchema)]
    #[schemars(crate = "grange_core::schemars")]
    struct Args {
        format: String,
        #[schemars(extend("format" = "date-time"))]
        at: String,
        address: std::net::Ipv4Addr,
        any: std::net::IpAddr,
        #[schemars(range(min = 1, max = 5))]
        rating: u32,
        share: f32,
    }
    let tool = Tool::builder().name("formats").call(|_cx, args: Args| async move { serialized(&args) });
    let schema = tool.input_schema().expect("a schema").value()["properties"].clone();
    assert_eq!((&schema["format"]["type"], &schema["at"]["format"]), (&json!("string"), &json!("date-time")));
    assert_eq!((&schema["address"]["format"], schema["any"].get("format")), (&json!("ipv4"), None));
    assert_eq!((&schema["rating"]["minimum"], &schema["rating"]["maximum"]), (&json!(1), &json!(5)));
    assert_eq!(schema["share"], json!({ "type": "number" }));
}

#[test]
fn w2_11_null_for_an_optional_member_counts_as_absent() {
    for params in ["null", r#"{"cursor":null}"#, r#"{"_meta":null}"#, r#"{"_meta":{"progressToken":null}}"#] {
        for extra in ["", r#","result":null"#, r#","error":null"#] {
            let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"resources/list","params":{params}{extra}}}"#);
            for version in ["2024-10-07", "2025-03-26", "2025-11-25"] {
                let answer = Pipe::opened(&fixture::server(), version).ask(&line);
                assert!(answer["result"]["resources"].is_array(), "{version} {params}: {answer}");
            }
            let answer = post(&fixture::server(), Some("2025-06-18"), &line).expect("an answer");
            assert!(answer.result()["resources"].is_array(), "{}", answer.text);
        }
    }
    let line = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"widths","arguments":null}}"#;
    assert_eq!(Pipe::opened(&tools(), "2025-11-25").ask(line)["result"]["content"][0]["type"], "text");
}

#[test]
fn w2_11_null_counts_as_absent_in_the_modern_era_too() {
    let mut body = modern_body(&json!(1), "resources/list", json!({ "cursor": null }));
    for key in ["io.modelcontextprotocol/clientInfo", "io.modelcontextprotocol/logLevel", "progressToken"] {
        body["params"]["_meta"][key] = Value::Null;
    }
    let answer = raw::exchange(&fixture::server(), raw::mirrored(&body), body.to_string().as_bytes());
    assert!(answer.expect("an answer").result()["resources"].is_array());
    // A null is not a mark.
    let line = r#"{"jsonrpc":"2.0","id":1,"method":"resources/list","params":{"_meta":{"io.modelcontextprotocol/clientInfo":null}}}"#;
    assert!(post(&fixture::server(), Some("2025-06-18"), line).expect("an answer").result().is_object());
}

#[test]
fn w2_11_null_for_a_required_member_is_a_wrong_type() {
    for (method, params) in [
        ("resources/read", json!({ "uri": null })),
        ("tools/call", json!({ "name": null })),
        ("initialize", json!({ "protocolVersion": null })),
    ] {
        let server = if method == "tools/call" { tools() } else { fixture::server() };
        let answer = raw::legacy(&server, "2025-11-25", method, &params);
        assert_eq!(answer.code(), -32602, "{method}: {}", answer.text);
    }
    for key in [raw::VERSION_KEY, raw::CAPABILITIES_KEY] {
        let mut body = modern_body(&json!(1), "resources/list", json!({}));
        body["params"]["_meta"][key] = Value::Null;
        let headers =
            vec![("mcp-protocol-version", MODERN.as_bytes().to_vec()), ("mcp-method", b"resources/list".to_vec())];
        let answer = raw::exchange(&fixture::server(), headers, body.to_string().as_bytes()).expect("an answer");
        assert_eq!((answer.status.clone(), answer.code()), (Status::Invalid, -32602), "{key}");
    }
    assert_eq!(Pipe::new(&fixture::server()).ask(&ping("null"))["error"]["code"], -32600);
}

#[test]
fn w2_11_a_response_with_a_null_error_is_valid() {
    for body in [
        r#"{"jsonrpc":"2.0","id":1,"result":{},"error":null}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":1,"message":"x"},"method":null}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":null}"#,
    ] {
        assert!(post(&fixture::server(), Some("2025-06-18"), body).is_none(), "{body}");
        assert!(Pipe::new(&fixture::server()).say(body).is_empty(), "{body}");
    }
}

#[test]
fn w2_11_a_rejected_notification_gets_no_answer_on_a_pipe() {
    for line in [
        r#"{"jsonrpc":"2.0","method":"notifications/initialized","params":[]}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":"x"}"#,
        r#"{"jsonrpc":"1.0","method":"notifications/initialized"}"#,
        r#"{"method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/x","params":{"a":1,"a":2}}"#,
        r#"[{"jsonrpc":"2.0","method":"notifications/x","params":[]}]"#,
    ] {
        assert!(Pipe::opened(&fixture::server(), "2025-03-26").say(line).is_empty(), "{line}");
        let rejected = post(&fixture::server(), Some("2025-03-26"), line).expect("HTTP has to answer");
        assert!(rejected.text.contains("-32600"), "{}", rejected.text);
    }
}

/// Line separators for readers other than JSON's.
const SEPARATORS: [char; 3] = ['\u{2028}', '\u{2029}', '\u{85}'];

#[test]
fn w2_12_line_separators_are_always_sent_as_escapes() {
    for separator in SEPARATORS {
        let text = format!("a{separator}b");
        let fixed = grange_core::Resource::builder().uri("docs://fixed").name(text.clone()).title(text.clone());
        let fixed = fixed.meta(json!({ "example.com/x": text })).text(text.clone()).build();
        let long = grange_core::Resource::builder().uri("docs://long").name("long").text(text.repeat(8000)).build();
        let copy = text.clone();
        let read = grange_core::Resource::builder().uri("docs://read").name("read").read(move |_cx| {
            let text = copy.clone();
            async move { Ok(text) }
        });
        let copy = text.clone();
        let schema = json!({ "type": "object", "description": text });
        let tool = Tool::builder().name("say").input_schema(schema).call_with_schema(move |_cx, _: Value| {
            let text = copy.clone();
            async move { Ok::<_, ToolError>(grange_core::ToolResult::new().structured(json!({ "said": text }))) }
        });
        let server = Server::builder("tests", "1.0.0").title(text.clone()).instructions(text.clone());
        let server = server.resources([fixed, long, read.build()]).tool(tool).build().expect("a server");
        let mut pipe = Pipe::new(&server);
        for (method, params) in [
            ("resources/list", json!({})),
            ("resources/read", json!({ "uri": "docs://fixed" })),
            ("resources/read", json!({ "uri": "docs://long" })),
            ("resources/read", json!({ "uri": "docs://read" })),
            ("resources/read", json!({ "uri": text })),
            ("tools/list", json!({})),
            ("tools/call", json!({ "name": "say" })),
            ("server/discover", json!({})),
        ] {
            // The harness checks that no message has such a character unescaped.
            let answer = pipe.ask(&modern_body(&json!(text), method, params).to_string());
            assert_eq!(answer["id"], json!(text), "{method}");
            assert!(
                answer["result"].to_string().contains(separator) || answer["error"].to_string().contains(separator)
            );
        }
    }
}

#[test]
fn w2_13_an_overlong_id_is_rejected_and_not_echoed() {
    let long = |length: usize| format!("\"{}\"", "x".repeat(length - 2));
    let answer = Pipe::new(&fixture::server()).ask(&ping(&long(4096)));
    assert_eq!(answer["result"], json!({}));
    for line in
        [ping(&long(4097)), ping(&long(1 << 20)), ping(&"9".repeat(4097)), format!(r#"{{"id":{}}}"#, long(5000))]
    {
        let answer = Pipe::new(&fixture::server()).ask(&line);
        assert_eq!((&answer["error"]["code"], answer.get("id")), (&json!(-32600), None));
        assert!(answer.to_string().len() < 300, "{answer}");
    }
    let answer = post(&fixture::server(), Some("2025-06-18"), &ping(&long(4097))).expect("an answer");
    assert_eq!((answer.status.clone(), answer.json().get("id")), (Status::Invalid, None));
    let batch = format!("[{},{}]", ping(&long(4097)), ping("1"));
    let answers = Pipe::opened(&fixture::server(), "2025-03-26").say(&batch);
    assert_eq!((answers[0].get("id"), &answers[1]["id"]), (None, &json!(1)));
}

#[test]
fn w2_13_an_overlong_uri_is_not_looked_up_and_not_echoed() {
    let uri = |length: usize| format!("docs://{}", "x".repeat(length - 7));
    for version in ["2024-11-05", "2025-11-25"] {
        let requested = uri(128 * 1024);
        let found = raw::legacy(&fixture::server(), version, "resources/read", &json!({ "uri": requested }));
        assert_eq!((found.code(), &found.json()["error"]["data"]["uri"]), (-32002, &json!(requested)));
        let long = raw::legacy(&fixture::server(), version, "resources/read", &json!({ "uri": uri(128 * 1024 + 1) }));
        assert_eq!(long.json()["error"], json!({ "code": -32602, "message": "Resource not found" }));
    }
    let long = raw::modern(&fixture::server(), "resources/read", json!({ "uri": uri(128 * 1024 + 1) }));
    assert_eq!(long.json()["error"], json!({ "code": -32602, "message": "Resource not found" }));
    assert_eq!(long.status, Status::Ok);
}

#[test]
fn w2_13_both_limits_can_be_set_and_other_echoed_values_are_truncated() {
    let server = fixture::limited(Limits { id_bytes: 8, uri_bytes: 16, ..Limits::default() });
    assert_eq!(Pipe::new(&server).ask(&ping("1234567"))["result"], json!({}));
    assert_eq!(Pipe::new(&server).ask(&ping("123456789"))["error"]["code"], -32600);
    let read = raw::legacy(&server, "2025-11-25", "resources/read", &json!({ "uri": "docs://0123456789" }));
    assert_eq!(read.code(), -32602);
    let version = "v".repeat(100_000);
    let mut body = modern_body(&json!(1), "resources/list", json!({}));
    body["params"]["_meta"][raw::VERSION_KEY] = json!(version);
    for body in [
        body,
        modern_body(&json!(1), &version, json!({})),
        modern_body(&json!(1), "tools/call", json!({ "name": version })),
    ] {
        let answer = Pipe::new(&tools()).ask(&body.to_string());
        assert!(answer["error"].is_object() && answer.to_string().len() < 2000, "{answer}");
    }
}

proptest! {
    #[test]
    fn w2_10_every_unused_number_is_accepted(number in "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,20})?([eE][-+]?[0-9]{1,5})?") {
        let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","x":{number},"params":{{"y":[{number}]}}}}"#);
        prop_assert_eq!(&Pipe::new(&fixture::server()).ask(&line)["result"], &json!({}));
    }
}
