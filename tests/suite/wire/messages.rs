//! Section 2 of the contract: JSON-RPC.

use grange_core::Status;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::fixture;
use crate::raw::{self, Pipe, exchange, post};

/// The answers of a pipe without a handshake to one line.
fn answer(line: &[u8]) -> Vec<Value> {
    Pipe::new(&fixture::server()).say_bytes(line)
}

/// The code and the id of the only error for a line.
fn rejected(line: &[u8]) -> (i64, Option<Value>) {
    let answers = answer(line);
    assert_eq!(answers.len(), 1, "{:?} was answered with {answers:?}", String::from_utf8_lossy(line));
    let code = answers[0]["error"]["code"].as_i64().expect("an error");
    (code, answers[0].get("id").cloned())
}

#[test]
fn w2_1_input_that_is_not_utf8_json_is_a_parse_error() {
    for line in [&b"{not json"[..], b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", b"{} {}", b"\"\n\"", b"nul"]
    {
        assert_eq!(rejected(line), (-32700, None), "{:?}", String::from_utf8_lossy(line));
    }
}

#[test]
fn w2_1_a_byte_order_mark_is_skipped() {
    let answers = answer(b"\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
    assert_eq!(answers, [json!({ "jsonrpc": "2.0", "id": 1, "result": {} })]);
}

#[test]
fn w2_2_a_message_is_one_object_of_the_right_shape() {
    for (line, id) in [
        (json!(5), None),
        (json!("x"), None),
        (json!(null), None),
        (json!({}), None),
        (json!({ "id": 1, "method": "ping" }), Some(json!(1))),
        (json!({ "jsonrpc": "1.0", "id": 1, "method": "ping" }), Some(json!(1))),
        (json!({ "jsonrpc": 2.0, "id": 1, "method": "ping" }), Some(json!(1))),
        (json!({ "jsonrpc": "2.0", "id": 1, "method": 5 }), Some(json!(1))),
        (json!({ "jsonrpc": "2.0", "id": 1 }), Some(json!(1))),
        (json!({ "jsonrpc": "2.0", "id": 1, "method": "ping", "params": [] }), Some(json!(1))),
        (json!({ "jsonrpc": "2.0", "id": 1, "method": "ping", "result": {} }), Some(json!(1))),
        (json!({ "jsonrpc": "2.0", "id": 1, "result": {}, "error": {} }), Some(json!(1))),
        (json!({ "jsonrpc": "2.0", "id": 1, "method": null }), Some(json!(1))),
        (json!({ "jsonrpc": "2.0", "result": {} }), None),
    ] {
        assert_eq!(rejected(line.to_string().as_bytes()), (-32600, id), "{line}");
    }
}

#[test]
fn w2_2_absent_params_are_empty_ones() {
    for params in ["", r#","params":{}"#, r#","params":null"#] {
        let mut pipe = Pipe::opened(&fixture::server(), "2025-11-25");
        let answer = pipe.ask(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"resources/list"{params}}}"#));
        assert!(answer["result"]["resources"].is_array(), "{answer}");
    }
}

#[test]
fn w2_2_an_unmatched_response_is_accepted_in_the_legacy_era_only() {
    let server = fixture::server();
    for body in [
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}"#,
        r#"{"jsonrpc":"2.0","error":{"code":1,"message":"x"}}"#,
    ] {
        assert!(post(&server, Some("2025-06-18"), body).is_none(), "{body}");
        assert!(Pipe::new(&server).say(body).is_empty(), "{body}");
        let refused = post(&server, Some(raw::MODERN), body).expect("a modern server sends no requests");
        assert_eq!((refused.status.clone(), refused.code()), (Status::Invalid, -32600), "{body}");
    }
}

#[test]
fn w2_3_an_id_is_echoed_with_its_type_and_digits() {
    for id in ["1", "0", "-7", "9007199254740993", "123456789012345678901234567890", r#""""#, r#""1""#, r#""\u00e9\n""#]
    {
        let server = fixture::server();
        let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        let answer = post(&server, None, &line).expect("a request is answered");
        assert!(answer.text.contains(&format!(r#""id":{id},"#)), "{}", answer.text);
    }
}

#[test]
fn w2_3_an_invalid_id_is_rejected() {
    for id in ["null", "true", "1.5", "1e-3", "1e400", "{}", "[]", "[1]"] {
        let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        assert_eq!(rejected(line.as_bytes()), (-32600, None), "{id}");
    }
}

#[test]
fn w2_3_a_notification_is_never_answered() {
    for method in ["notifications/initialized", "foo/bar", "resources/read", "initialize", "ping"] {
        let line = json!({ "jsonrpc": "2.0", "method": method });
        assert!(answer(line.to_string().as_bytes()).is_empty(), "{method}");
        assert!(post(&fixture::server(), None, &line.to_string()).is_none(), "{method}");
    }
}

#[test]
fn w2_4_an_id_is_echoed_if_it_could_be_read() {
    let line = br#"{"params":[],"jsonrpc":"1.0","method":5,"id":"late"}"#;
    assert_eq!(rejected(line), (-32600, Some(json!("late"))));
    let server = fixture::server();
    let mismatch = exchange(
        &server,
        vec![("mcp-protocol-version", b"2026-07-28".to_vec())],
        br#"{"jsonrpc":"2.0","id":"h","method":"resources/list"}"#,
    );
    assert_eq!(mismatch.expect("an answer").json()["id"], "h");
}

#[test]
fn w2_4_without_an_id_the_member_is_absent() {
    assert!(!answer(b"{").iter().any(|answer| answer.as_object().expect("an object").contains_key("id")));
}

#[test]
fn w2_5_a_duplicate_name_is_rejected() {
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
    for line in [
        r#"{"jsonrpc":"2.0","id":1,"id":1,"method":"ping"}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"ping"}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","x":1,"\u0078":2}"#.to_owned(),
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{{"uri":"a:b","uri":"a:c",{meta}}}}}"#),
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{{{meta},{meta}}}}}"#),
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"a":1,"a":2}}}"#.to_owned(),
    ] {
        assert_eq!(rejected(line.as_bytes()), (-32600, Some(json!(1))), "{line}");
    }
}

#[test]
fn w2_5_a_duplicate_among_many_names_is_found() {
    let members: Vec<_> = (0..5000).map(|index| format!(r#""m{index}":1"#)).collect();
    let line = |extra: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{{}{extra}}}}}"#, members.join(","))
    };
    assert_eq!(answer(line("").as_bytes())[0]["result"], json!({}));
    assert_eq!(rejected(line(r#","m4999":2"#).as_bytes()), (-32600, Some(json!(1))));
}

#[test]
fn w2_5_unknown_members_are_ignored() {
    let line = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping", "extra": { "a": [1] }, "params": { "extra": 1 } });
    assert_eq!(answer(line.to_string().as_bytes())[0]["result"], json!({}));
}

#[test]
fn w2_6_nesting_is_accepted_up_to_128_levels() {
    let line = |depth: usize| {
        // The message and its params are two of the levels.
        let inner = depth - 2;
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"x":{}{}}}}}"#,
            "[".repeat(inner),
            "]".repeat(inner)
        )
    };
    assert_eq!(answer(line(128).as_bytes())[0]["result"], json!({}));
    for depth in [129, 5000, 200_000] {
        assert_eq!(rejected(line(depth).as_bytes()), (-32700, None), "{depth}");
    }
    let top = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(rejected(top(129).as_bytes()).0, -32700);
    assert_eq!(rejected(top(128).as_bytes()).0, -32600);
}

#[test]
fn w2_6_lone_surrogates_are_a_parse_error_in_any_place() {
    for line in [
        r#"{"jsonrpc":"2.0","id":"\ud800","method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"\udc00"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","x\ud800":1}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","x":{"y":["\ud800"]}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"\ud800x"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"uri":"\ud800"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"x":"\ud800"}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":"\ud800"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"x":"\ud800"}}"#,
        r#"[{"x":"\ud800"}]"#,
    ] {
        assert_eq!(rejected(line.as_bytes()), (-32700, None), "{line}");
    }
}

#[test]
fn w2_7_a_busy_pipe_rejects_with_its_own_code() {
    let server =
        fixture::limited(grange_core::Limits { requests_in_flight: 1, requests_waiting: 1, ..Default::default() });
    let mut pipe = Pipe::opened(&server, "2025-11-25");
    let read =
        |id: u8| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"resources/read","params":{{"uri":"docs://wait"}}}}"#);
    assert!(pipe.say(&read(1)).is_empty());
    assert!(pipe.say(&read(2)).is_empty());
    let rejected = pipe.ask(&read(3));
    let code = rejected["error"]["code"].as_i64().expect("an error");
    assert!(!(-32768..=-32000).contains(&code), "{rejected}");
    // A permit that becomes free goes to the waiting request.
    assert!(pipe.say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#).is_empty());
    assert_eq!(pipe.jobs.len(), 1);
}

#[test]
fn w2_7_held_streams_use_no_permit_of_requests() {
    let limits = grange_core::Limits { requests_in_flight: 1, requests_waiting: 0, streams: 1, ..Default::default() };
    let mut pipe = Pipe::new(&fixture::limited(limits));
    let listen =
        |id: u8| raw::modern_body(&json!(id), "subscriptions/listen", json!({ "notifications": {} })).to_string();
    assert_eq!(pipe.ask(&listen(1))["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(pipe.ask(&listen(2))["error"]["code"], 503);
    let read = raw::modern_body(&json!(3), "resources/read", json!({ "uri": "reports://latest" }));
    assert_eq!(pipe.ask(&read.to_string())["result"]["resultType"], "complete");
    assert!(pipe.say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#).is_empty());
    assert_eq!(pipe.ask(&listen(2))["method"], "notifications/subscriptions/acknowledged");
}

#[test]
fn w2_8_the_error_for_an_unknown_resource_echoes_the_uri() {
    let uri = "DOCS://Full/../x y\u{e9}";
    let error = raw::legacy(&fixture::server(), "2025-11-25", "resources/read", &json!({ "uri": uri })).json();
    assert_eq!(error["error"], json!({ "code": -32002, "message": "Resource not found", "data": { "uri": uri } }));
}

#[test]
fn w2_8_wrong_types_name_the_member() {
    for (method, params, named) in [
        ("resources/read", json!({ "uri": 5 }), "uri"),
        ("resources/read", json!({}), "uri"),
        ("resources/list", json!({ "cursor": 5 }), "cursor"),
        ("resources/list", json!({ "_meta": 5 }), "_meta"),
        ("initialize", json!({ "protocolVersion": 5 }), "protocolVersion"),
    ] {
        let answer = raw::legacy(&fixture::server(), "2025-11-25", method, &params);
        assert_eq!((answer.status.clone(), answer.code()), (Status::Ok, -32602), "{method} {params}");
        assert!(answer.json()["error"]["message"].as_str().expect("a message").contains(named), "{}", answer.text);
    }
}

#[test]
fn w2_8_an_internal_error_does_not_reveal_its_cause() {
    for uri in ["docs://private", "docs://panic", "docs://reserved"] {
        let answer = raw::legacy(&fixture::server(), "2025-11-25", "resources/read", &json!({ "uri": uri }));
        assert_eq!(answer.json()["error"], json!({ "code": -32603, "message": "Internal error" }), "{uri}");
    }
}

#[test]
fn w2_9_a_second_request_with_an_id_in_flight_is_rejected_and_the_first_continues() {
    let mut pipe = Pipe::opened(&fixture::server(), "2025-11-25");
    assert!(
        pipe.say(r#"{"jsonrpc":"2.0","id":"a","method":"resources/read","params":{"uri":"docs://wait"}}"#).is_empty()
    );
    let second = pipe.ask(r#"{"jsonrpc":"2.0","id":"\u0061","method":"ping"}"#);
    assert_eq!((second["error"]["code"].as_i64(), &second["id"]), (Some(-32600), &json!("a")));
    assert_eq!(pipe.jobs.len(), 1);
}

proptest! {
    #[test]
    fn no_bytes_panic_and_each_gets_an_answer(line in proptest::collection::vec(any::<u8>(), 0..200)) {
        let server = fixture::server();
        for answer in Pipe::new(&server).say_bytes(&line) {
            prop_assert!(answer["error"]["code"].is_i64());
        }
    }

    #[test]
    fn no_json_panics(value in json_value()) {
        let server = fixture::server();
        for version in [None, Some("2025-06-18"), Some("2026-07-28"), Some("x")] {
            drop(post(&server, version, &value.to_string()));
        }
        drop(Pipe::opened(&server, "2025-03-26").say(&value.to_string()));
    }
}

/// JSON that often looks like a message.
fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        prop_oneof!["2.0", "ping", "resources/read", "resources/list", "docs://full", ".*"].prop_map(Value::from),
    ];
    let name =
        prop_oneof!["jsonrpc", "id", "method", "params", "uri", "cursor", "_meta", "result", "error", VERSION, "[a-z]"];
    leaf.prop_recursive(4, 48, 8, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(name.clone(), inner, 0..8)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

const VERSION: &str = "io\\.modelcontextprotocol/protocolVersion";
