//! W2.10 for numbers that no double can hold: one verdict wherever they are, and what author code gets of them.

use grange_core::{Resource, Server};
use serde_json::json;

use super::author::{Observed, builder, call, tools};
use crate::raw::{self, Pipe, exchange, modern_body, post};

/// Places for a number, alone and inside.
const PLACES: [&str; 5] = ["1e999", "[1e999]", "{\"y\":1e999}", "[[-1E+400,{\"z\":[1e999]}]]", " [ 1e999 ] "];

fn server() -> Server {
    let note = Resource::builder().uri("docs://note").name("note").text("note").build();
    builder().tools(tools()).resource(note).build().expect("a server")
}

/// The members of a message that a value may be in, where no code reads it.
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
fn w2_10_an_unread_number_is_accepted_on_both_transports_and_in_batches() {
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
fn w2_10_an_unread_number_is_accepted_in_the_modern_era() {
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
            let line = call(tool, &format!(r#"{{"{name}":{value}}}"#));
            let result = Pipe::opened(&server(), "2025-11-25").ask(&line)["result"].clone();
            assert_eq!(result["isError"] == true, is_read, "{line}: {result}");
            let code = Pipe::opened(&server(), "2025-06-18").ask(&line)["error"]["code"].clone();
            assert_eq!(code == -32602, is_read, "{line}: {code}");
        }
    }
}

#[test]
fn w2_10_capabilities_beside_such_a_number_are_read_in_both_eras() {
    for value in PLACES {
        let observed = Observed::default();
        let capabilities = format!(r#"{{"roots":{{"listChanged":true}},"x":{value}}}"#);
        let info = format!(r#"{{"name":"c","version":"1","x":{value}}}"#);
        let expected = [json!({ "roots": { "listChanged": true } }), json!({ "name": "c", "version": "1" })];
        let mut pipe = Pipe::new(&observed.server());
        pipe.say(&format!(
            r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"2025-11-25","capabilities":{capabilities},"clientInfo":{info}}}}}"#
        ));
        assert!(pipe.request("resources/read", &json!({ "uri": "docs://me" }))["result"].is_object());
        assert_eq!(observed.take()[1..], expected, "{capabilities}");
        let mut body = modern_body(&json!(1), "resources/read", json!({ "uri": "docs://me" }));
        body["params"]["_meta"][raw::CAPABILITIES_KEY] = "CAPABILITIES".into();
        body["params"]["_meta"]["io.modelcontextprotocol/clientInfo"] = "INFO".into();
        let text = body.to_string().replace("\"CAPABILITIES\"", &capabilities).replace("\"INFO\"", &info);
        let answer = exchange(&observed.server(), raw::mirrored(&body), text.as_bytes()).expect("an answer");
        assert!(answer.result().is_object(), "{}", answer.text);
        assert_eq!(observed.take()[1..], expected, "{text}");
    }
}
