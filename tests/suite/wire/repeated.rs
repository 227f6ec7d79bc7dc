//! W2.5 in the arguments of tools: names that appear twice, on both transports, in both eras, and in batches.

use grange_core::{Server, Status, Tool, ToolError};
use serde_json::{Value, json};

use crate::raw::{self, Pipe, exchange, modern_body, post};

/// A tool that takes any arguments, and mirrors two of them.
fn server() -> Server {
    let schema = json!({ "type": "object", "properties": {
        "value": { "type": "string", "x-mcp-header": "Value" },
        "deep": { "type": "object", "properties": { "flag": { "type": "string", "x-mcp-header": "Flag" } } },
    } });
    let echo = Tool::builder().name("echo").input_schema(schema);
    let echo = echo.call_with_schema(|_cx, args: Value| async move { Ok::<_, ToolError>(args.to_string()) });
    Server::builder("tests", "1.0.0").tool(echo).build().expect("a server")
}

fn call(arguments: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"echo","arguments":{arguments}}}}}"#)
}

/// Arguments with a name that one object has twice.
const REPEATED: [&str; 8] = [
    r#"{"value":"evil","value":"good"}"#,
    r#"{"value":"evil","\u0076alue":"good"}"#,
    r#"{ "value" : 1e400, "other":1, "value" :1}"#,
    r#"{"deep":{"flag":"evil","flag":"good"}}"#,
    r#"{"deep":{"flag":"evil"},"d\u0065ep":{"flag":"good"}}"#,
    r#"{"list":[0,{"a":{},"b":[],"a":null}]}"#,
    r#"{"":1,"":2}"#,
    r#"{"a":{"a":{"a":{"a":1,"\u0061":2}}}}"#,
];

#[test]
fn w2_5_a_duplicate_name_in_arguments_is_rejected_at_any_depth() {
    for arguments in REPEATED {
        let line = call(arguments);
        for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
            let piped = Pipe::opened(&server(), version).ask(&line);
            let posted = post(&server(), Some(version), &line).expect("an answer").json();
            for answer in [piped, posted] {
                assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32600), &json!(1)), "{line}: {answer}");
                let message = answer["error"]["message"].as_str().expect("a message");
                assert!(message.ends_with("appears twice"), "{message}");
            }
        }
    }
}

#[test]
fn w2_5_a_duplicate_name_in_arguments_is_rejected_in_a_batch() {
    for arguments in REPEATED {
        let batch = format!("[{},{}]", call(arguments), call("{}").replace("\"id\":1", "\"id\":2"));
        let answers = post(&server(), Some("2025-03-26"), &batch).expect("answers").json();
        let of = |id: i64| answers.as_array().expect("a batch").iter().find(|answer| answer["id"] == id).cloned();
        assert_eq!(of(1).expect("an answer")["error"]["code"], -32600, "{arguments}");
        assert!(of(2).expect("an answer")["result"].is_object(), "{arguments}");
    }
}

#[test]
fn w2_5_equal_names_in_different_objects_are_no_duplicates() {
    for arguments in [
        r#"{"value":"a","deep":{"value":"b","deep":{"value":"value"}}}"#,
        r#"{"list":[{"a":1},{"a":2},["a","a"]],"a":"a"}"#,
        r#"{"A":1,"a":2,"a ":3,"\\u0061":4}"#,
    ] {
        let answer = Pipe::opened(&server(), "2025-11-25").ask(&call(arguments));
        assert!(answer["result"].get("isError").is_none(), "{arguments}: {answer}");
    }
}

#[test]
fn w2_5_many_arguments_are_compared_in_time() {
    let members: Vec<_> = (0..40_000).map(|index| format!(r#""m{index}":1"#)).collect();
    let line = |extra: &str| call(&format!(r#"{{"deep":{{{}{extra}}}}}"#, members.join(",")));
    let answer = |line: &str| Pipe::opened(&server(), "2025-11-25").ask(line);
    assert!(answer(&line(""))["result"].is_object());
    assert_eq!(answer(&line(r#","m39999":2"#))["error"]["code"], -32600);
}

#[test]
fn w2_5_a_repeated_argument_cannot_differ_from_its_header() {
    for (arguments, header) in [
        (r#"{"value":"evil","value":"good"}"#, "mcp-param-value"),
        (r#"{"value":"evil","\u0076alue":"good"}"#, "mcp-param-value"),
        (r#"{"value":null,"value":"good"}"#, "mcp-param-value"),
        (r#"{"deep":{"flag":"evil","flag":"good"}}"#, "mcp-param-flag"),
        (r#"{"deep":{"flag":"evil"},"d\u0065ep":{"flag":"good"}}"#, "mcp-param-flag"),
    ] {
        let body = modern_body(&json!(1), "tools/call", json!({ "name": "echo", "arguments": "HERE" }));
        let text = body.to_string().replace("\"HERE\"", arguments);
        for value in ["good", "evil"] {
            let mut headers = raw::mirrored(&body);
            headers.push((header, value.as_bytes().to_vec()));
            let answer = exchange(&server(), headers, text.as_bytes()).expect("an answer");
            assert_eq!((answer.status.clone(), answer.code()), (Status::Invalid, -32600), "{text}: {}", answer.text);
        }
    }
}
