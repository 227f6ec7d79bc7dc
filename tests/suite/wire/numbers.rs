//! W2.10 for numbers that no double can hold: one verdict wherever they are, and what author code gets of them.

use std::sync::{Arc, Mutex};

use grange_core::{Resource, Server, Tool, ToolError, schemars};
use serde_json::{Value, json};

use crate::raw::{self, Pipe, exchange, modern_body, post};

/// Places for a number, alone and inside.
const PLACES: [&str; 5] = ["1e999", "[1e999]", "{\"y\":1e999}", "[[-1E+400,{\"z\":[1e999]}]]", " [ 1e999 ] "];

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[allow(dead_code, reason = "only the schema needs the fields")]
struct Known {
    known: Option<f64>,
}

fn server() -> Server {
    let known = Tool::builder().name("known").call(|_cx, _: Known| async move { Ok("called") });
    let any = Tool::builder().name("any").input_schema(json!({ "type": "object" }));
    let any = any.call_with_schema(|_cx, _: Value| async move { Ok::<_, ToolError>("called") });
    let note = Resource::builder().uri("docs://note").name("note").text("note").build();
    Server::builder("tests", "1.0.0").tools([known, any]).resource(note).build().expect("a server")
}

/// The members of a message that a value may be in, where nobody reads it.
fn unread(value: &str) -> [String; 5] {
    [
        format!(r#""x":{value},"params":{{}}"#),
        format!(r#""params":{{"x":{value}}}"#),
        format!(r#""params":{{"_meta":{{"x":{value}}}}}"#),
        format!(r#""params":{{"x":{value},"_meta":{{"x":{value}}}}},"x":{value}"#),
        format!(r#""params":{{"arguments":{{"x":{value}}}}}"#),
    ]
}

#[test]
fn w2_10_a_number_that_nobody_reads_is_accepted_on_both_transports_and_in_batches() {
    for members in PLACES.iter().flat_map(|value| unread(value)) {
        let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"resources/list",{members}}}"#);
        for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
            assert!(Pipe::opened(&server(), version).ask(&line)["result"].is_object(), "{version} {line}");
            assert!(post(&server(), Some(version), &line).expect("an answer").result().is_object(), "{version} {line}");
        }
        let batch = post(&server(), Some("2025-03-26"), &format!("[{line}]")).expect("an answer").json();
        assert!(batch[0]["result"].is_object(), "{batch}");
    }
}

#[test]
fn w2_10_a_number_that_nobody_reads_is_accepted_in_the_modern_era() {
    for value in PLACES {
        let mut body = modern_body(&json!(1), "resources/list", json!({}));
        body["x"] = "HERE".into();
        body["params"]["x"] = "HERE".into();
        body["params"]["_meta"]["x"] = "HERE".into();
        body["params"]["_meta"][raw::CAPABILITIES_KEY]["x"] = "HERE".into();
        let text = body.to_string().replace("\"HERE\"", value);
        let answer = exchange(&server(), raw::mirrored(&body), text.as_bytes()).expect("an answer");
        assert!(answer.result()["resources"].is_array(), "{text}: {}", answer.text);
    }
}

#[test]
fn w2_10_an_argument_of_that_size_is_invalid_exactly_if_it_is_read() {
    for value in PLACES {
        for (tool, name, is_read) in [("known", "other", false), ("known", "known", true), ("any", "other", true)] {
            let line = format!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{{"{name}":{value}}}}}}}"#
            );
            let result = Pipe::opened(&server(), "2025-11-25").ask(&line)["result"].clone();
            assert_eq!(result["isError"] == true, is_read, "{line}: {result}");
            let code = Pipe::opened(&server(), "2025-06-18").ask(&line)["error"]["code"].clone();
            assert_eq!(code == -32602, is_read, "{line}: {code}");
        }
    }
}

/// What a reader sees of the client: the capabilities, and its name.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Value>>);

impl Seen {
    fn server(&self) -> Server {
        let seen = self.0.clone();
        let read = Resource::builder().uri("docs://me").name("me").read(move |cx| {
            *seen.lock().expect("no panic before") = json!([cx.client_capabilities(), cx.client_info()]);
            async { Ok("read") }
        });
        Server::builder("tests", "1.0.0").resource(read.build()).build().expect("a server")
    }

    fn take(&self) -> Value {
        self.0.lock().expect("no panic before").take()
    }
}

#[test]
fn w2_10_capabilities_beside_such_a_number_are_read_in_both_eras() {
    for value in PLACES {
        let seen = Seen::default();
        let capabilities = format!(r#"{{"roots":{{"listChanged":true}},"x":{value}}}"#);
        let info = format!(r#"{{"name":"c","version":"1","x":{value}}}"#);
        let expected = json!([{ "roots": { "listChanged": true } }, { "name": "c", "version": "1" }]);
        let mut pipe = Pipe::new(&seen.server());
        pipe.say(&format!(
            r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"2025-11-25","capabilities":{capabilities},"clientInfo":{info}}}}}"#
        ));
        assert!(pipe.request("resources/read", &json!({ "uri": "docs://me" }))["result"].is_object());
        assert_eq!(seen.take(), expected, "{capabilities}");
        let mut body = modern_body(&json!(1), "resources/read", json!({ "uri": "docs://me" }));
        body["params"]["_meta"][raw::CAPABILITIES_KEY] = "CAPABILITIES".into();
        body["params"]["_meta"]["io.modelcontextprotocol/clientInfo"] = "INFO".into();
        let text = body.to_string().replace("\"CAPABILITIES\"", &capabilities).replace("\"INFO\"", &info);
        let answer = exchange(&seen.server(), raw::mirrored(&body), text.as_bytes()).expect("an answer");
        assert!(answer.result().is_object(), "{}", answer.text);
        assert_eq!(seen.take(), expected, "{text}");
    }
}
