//! Section 4 of the contract, and the engine's part of section 5: the revision of a request.

use grange_core::{Revision, Status};
use serde_json::{Value, json};

use super::fixture;
use crate::raw::{Answer, CAPABILITIES_KEY, MODERN, Pipe, VERSION_KEY, exchange, meta, mirrored, modern_body, post};

fn send(headers: Vec<(&'static str, Vec<u8>)>, body: &Value) -> Answer {
    exchange(&fixture::server(), headers, body.to_string().as_bytes()).expect("a request is answered")
}

fn list() -> Value {
    modern_body(&json!(1), "resources/list", json!({}))
}

fn read(uri: &str) -> Value {
    modern_body(&json!(1), "resources/read", json!({ "uri": uri }))
}

/// The mirrored headers with one replaced.
fn with(body: &Value, name: &'static str, value: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let mut headers = without(body, name);
    headers.push((name, value.to_vec()));
    headers
}

fn without(body: &Value, name: &str) -> Vec<(&'static str, Vec<u8>)> {
    mirrored(body).into_iter().filter(|(header, _)| *header != name).collect()
}

fn plain(method: &str) -> String {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method }).to_string()
}

#[test]
fn w4_1_reserved_metadata_or_a_modern_header_makes_a_request_modern() {
    for key in [VERSION_KEY, CAPABILITIES_KEY, "io.modelcontextprotocol/clientInfo", "io.modelcontextprotocol/logLevel"]
    {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/list", "params": { "_meta": { key: {} } } });
        assert_eq!(post(&fixture::server(), None, &body.to_string()).expect("an answer").code(), -32020, "{key}");
    }
    // Other keys with that prefix belong to features, not to the protocol's own metadata.
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/list", "params": { "_meta": { "io.modelcontextprotocol/related-task": {} } } });
    assert_eq!(post(&fixture::server(), None, &body.to_string()).expect("an answer").status, Status::Ok);
    let headers = vec![("mcp-protocol-version", MODERN.into()), ("mcp-method", b"resources/list".to_vec())];
    let answer = exchange(&fixture::server(), headers, plain("resources/list").as_bytes()).expect("an answer");
    assert_eq!((answer.status.clone(), answer.code()), (Status::Invalid, -32602));
}

#[test]
fn w4_1_on_a_new_pipe_methods_of_the_modern_era_count_as_marked() {
    for method in ["server/discover", "subscriptions/listen"] {
        let answer = Pipe::new(&fixture::server()).ask(&plain(method));
        assert_eq!(answer["error"]["code"], -32602);
        assert!(answer["error"]["message"].as_str().expect("a message").contains(VERSION_KEY), "{answer}");
        let answer = Pipe::opened(&fixture::server(), "2025-11-25").ask(&plain(method));
        assert_eq!(answer["error"]["code"], -32601);
    }
}

#[test]
fn w4_2_an_unmarked_initialize_opens_a_handshake() {
    let body =
        json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": { "protocolVersion": "2025-06-18" } });
    let versions = [None, Some("2025-11-25"), Some("2024-11-05"), Some(MODERN), Some("2099-01-01"), Some("nonsense")];
    for version in versions.into_iter().chain([Some(""), Some("1900-01-01")]) {
        let answer = post(&fixture::server(), version, &body.to_string()).expect("an answer");
        assert_eq!(answer.result()["protocolVersion"], "2025-06-18", "{version:?}");
    }
    let two = vec![("mcp-protocol-version", b"2025-06-18".to_vec()), ("mcp-protocol-version", b"x".to_vec())];
    let answer = exchange(&fixture::server(), two, body.to_string().as_bytes()).expect("an answer");
    assert_eq!(answer.result()["protocolVersion"], "2025-06-18");
}

#[test]
fn w4_2_a_marked_initialize_is_an_unknown_method_and_an_unserved_one_lists_the_revisions() {
    let body = modern_body(&json!(1), "initialize", json!({ "protocolVersion": "2025-06-18" }));
    assert_eq!(send(mirrored(&body), &body).code(), -32601);
    let modern = fixture::only([Revision::V2026_07_28]);
    for version in [None, Some(MODERN), Some("2025-11-25"), Some("nonsense")] {
        let answer = post(&modern, version, &plain("initialize")).expect("an answer");
        assert_eq!(answer.status.clone(), Status::Invalid, "{version:?}");
        assert!(answer.text.contains(MODERN), "{}", answer.text);
    }
}

/// Values that are no revision: empty, a date before the first one that is not a revision, not a date.
const NONE: [&str; 8] =
    ["", " \t", "nonsense", "1900-01-01", "2025-12-25", "2025/11/25", "2025-11-25,2025-11-25", "2999-1-1"];

#[test]
fn w4_6_a_version_header_that_is_no_revision_is_rejected_by_name() {
    for version in NONE {
        let answer = post(&fixture::server(), Some(version), &plain("resources/list")).expect("an answer");
        assert_eq!((answer.status.clone(), answer.code()), (Status::Invalid, -32600), "{version}");
        assert!(answer.text.contains("MCP-Protocol-Version"), "{}", answer.text);
        assert_eq!(answer.json()["id"], 1);
    }
    let two = vec![("mcp-protocol-version", b"2025-06-18".to_vec()); 2];
    let answer = exchange(&fixture::server(), two, plain("resources/list").as_bytes()).expect("an answer");
    assert_eq!((answer.status.clone(), answer.code()), (Status::Invalid, -32600));
    // With marks, the revision is that of the body, and the header differs from it.
    for version in NONE {
        assert_eq!(
            send(with(&list(), "mcp-protocol-version", version.as_bytes()), &list()).code(),
            -32020,
            "{version}"
        );
    }
}

#[test]
fn w4_6_a_later_revision_counts_as_not_served() {
    for version in ["2026-07-29", "2099-01-01"] {
        let answer = post(&fixture::server(), Some(version), &plain("resources/list")).expect("an answer");
        assert_eq!((answer.status.clone(), answer.code()), (Status::Invalid, -32022), "{version}");
        assert_eq!(answer.json()["error"]["data"]["requested"], version);
        let legacy = fixture::only([Revision::V2025_06_18]);
        let answer = post(&legacy, Some(version), &plain("resources/list")).expect("an answer");
        assert_eq!((answer.status.clone(), answer.code()), (Status::Invalid, -32600), "{version}");
        assert!(answer.text.contains("2025-06-18"), "{}", answer.text);
    }
}

#[test]
fn w4_6_notifications_and_responses_have_the_same_checks() {
    let notification = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let answered = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    let batch = format!("[{notification}]");
    for body in [notification, answered, &batch] {
        for (version, code) in [("nonsense", -32600), ("", -32600), ("2099-01-01", -32022)] {
            let answer = post(&fixture::server(), Some(version), body).expect("a rejection");
            assert_eq!((answer.status.clone(), answer.code()), (Status::Invalid, code), "{version} {body}");
            assert!(answer.json().get("id").is_none());
        }
    }
    assert!(post(&fixture::server(), Some(MODERN), notification).is_none());
    assert!(post(&fixture::server(), Some("2025-06-18"), notification).is_none());
}

#[test]
fn w4_3_over_http_the_header_names_the_legacy_revision() {
    let icons = |version| {
        let answer = post(&fixture::server(), version, &plain("resources/list")).expect("an answer");
        let entry = answer.result()["resources"][0].clone();
        (entry.get("title").is_some(), entry.get("icons").is_some())
    };
    assert_eq!(icons(Some("2025-11-25")), (true, true));
    assert_eq!(icons(Some("2025-06-18")), (true, false));
    assert_eq!(icons(Some(" 2025-06-18\t")), (true, false));
    assert_eq!(icons(Some("2024-10-07")), (false, false));
    // Without header and marks: the first revision over HTTP, which had neither.
    assert_eq!(icons(None), (false, false));
}

#[test]
fn w4_3_a_legacy_revision_that_is_not_served_is_rejected() {
    let both = fixture::only([Revision::V2025_06_18, Revision::V2026_07_28]);
    let answer = post(&both, Some("2025-11-25"), &plain("resources/list")).expect("an answer");
    assert_eq!((answer.status.clone(), answer.code()), (Status::Invalid, -32022));
    assert_eq!(
        answer.json()["error"]["data"],
        json!({ "supported": [MODERN, "2025-06-18"], "requested": "2025-11-25" })
    );
    let legacy = fixture::only([Revision::V2025_06_18]);
    let answer = post(&legacy, Some("2025-11-25"), &plain("resources/list")).expect("an answer");
    assert_eq!((answer.status.clone(), answer.code()), (Status::Invalid, -32600));
    let modern = fixture::only([Revision::V2026_07_28]);
    let answer = post(&modern, None, &plain("resources/list")).expect("an answer");
    assert_eq!((answer.status.clone(), answer.code()), (Status::Invalid, -32020));
}

#[test]
fn w4_4_on_a_pipe_each_request_has_the_era_of_its_marks() {
    let mut pipe = Pipe::new(&fixture::server());
    assert_eq!(pipe.ask(&plain("ping"))["result"], json!({}));
    let unmarked = pipe.ask(&plain("resources/list"));
    assert_eq!(unmarked["error"]["code"], -32602);
    let message = unmarked["error"]["message"].as_str().expect("a message");
    for named in [VERSION_KEY, CAPABILITIES_KEY, "initialize"] {
        assert!(message.contains(named), "{message}");
    }
    assert_eq!(pipe.ask(&list().to_string())["result"]["resultType"], "complete");
    assert_eq!(
        pipe.request("initialize", &json!({ "protocolVersion": "2025-03-26" }))["result"]["protocolVersion"],
        "2025-03-26"
    );
    assert!(pipe.ask(&plain("resources/list"))["result"]["resources"][0].get("title").is_none());
    assert_eq!(pipe.ask(&list().to_string())["result"]["resultType"], "complete");
}

#[test]
fn w4_5_marked_requests_do_not_change_the_negotiated_revision() {
    let mut pipe = Pipe::new(&fixture::server());
    let marked = modern_body(&json!(1), "initialize", json!({ "protocolVersion": "2025-11-25" }));
    assert_eq!(pipe.ask(&marked.to_string())["error"]["code"], -32601);
    // No handshake took place.
    assert_eq!(pipe.ask(&plain("resources/list"))["error"]["code"], -32602);
    let mut pipe = Pipe::opened(&fixture::server(), "2025-06-18");
    assert_eq!(pipe.ask(&marked.to_string())["error"]["code"], -32601);
    assert_eq!(pipe.ask(&plain("ping"))["result"], json!({}));
}

#[test]
fn w5_1_header_and_body_are_compared_before_support_is_checked() {
    let strange =
        modern_body(&json!(1), "resources/list", json!({ "_meta": { VERSION_KEY: "v999", CAPABILITIES_KEY: {} } }));
    assert_eq!(send(mirrored(&strange), &strange).code(), -32020);
    let both = send(with(&strange, "mcp-protocol-version", b"v999"), &strange);
    assert_eq!((both.status.clone(), both.code()), (Status::Invalid, -32022));
    // The supported revisions are those of `server/discover`.
    assert_eq!(both.json()["error"]["data"], json!({ "supported": [MODERN], "requested": "v999" }));
    // A legacy header with a modern body, and no header.
    assert_eq!(send(with(&list(), "mcp-protocol-version", b"2025-11-25"), &list()).code(), -32020);
    assert_eq!(send(without(&list(), "mcp-protocol-version"), &list()).code(), -32020);
    let bare = json!({ "jsonrpc": "2.0", "id": 1, "method": "server/discover" });
    let answer = send(mirrored(&bare), &bare);
    assert_eq!((answer.status.clone(), answer.code()), (Status::Invalid, -32602));
}

#[test]
fn w5_1_marks_with_a_handshake_revision_are_rejected() {
    let body = modern_body(
        &json!(1),
        "resources/list",
        json!({ "_meta": { VERSION_KEY: "2025-11-25", CAPABILITIES_KEY: {} } }),
    );
    assert_eq!(send(with(&body, "mcp-protocol-version", b"2025-11-25"), &body).code(), -32022);
    assert_eq!(Pipe::new(&fixture::server()).ask(&body.to_string())["error"]["code"], -32022);
}

#[test]
fn w5_2_the_method_and_the_name_are_mirrored() {
    let body = read("docs://full");
    assert_eq!(send(mirrored(&body), &body).status, Status::Ok);
    for headers in [
        without(&body, "mcp-method"),
        without(&body, "mcp-name"),
        with(&body, "mcp-method", b"resources/list"),
        with(&body, "mcp-method", b"Resources/read"),
        with(&body, "mcp-method", b""),
        with(&body, "mcp-name", b"docs://Full"),
        with(&body, "mcp-name", b"docs://full/"),
    ] {
        let answer = send(headers, &body);
        assert_eq!((answer.status.clone(), answer.code()), (Status::Invalid, -32020));
        assert_eq!(answer.json()["id"], 1);
    }
    assert_eq!(send(with(&body, "mcp-name", b" \tdocs://full "), &body).status, Status::Ok);
    // For other methods the header is ignored.
    assert_eq!(send(with(&list(), "mcp-name", b"anything"), &list()).status, Status::Ok);
    // A parameter that cannot be mirrored has the wrong type.
    let wrong = modern_body(&json!(1), "resources/read", json!({ "uri": 5 }));
    assert_eq!(send(mirrored(&wrong), &wrong).code(), -32602);
    // A notification needs no mirrored headers.
    assert!(post(&fixture::server(), Some(MODERN), r#"{"jsonrpc":"2.0","method":"notifications/x"}"#).is_none());
}

#[test]
fn w5_3_an_encoded_name_is_decoded_strictly() {
    let cafe = read("docs://caf\u{e9}");
    let code = |value: &[u8]| send(with(&cafe, "mcp-name", value), &cafe).json()["error"].clone();
    let found = code(b"=?base64?ZG9jczovL2NhZsOp?=");
    assert_eq!((found["code"].as_i64(), found["message"].as_str()), (Some(-32602), Some("Resource not found")));
    for value in [
        &b"docs://caf\xc3\xa9"[..],
        b"docs://caf%C3%A9",
        b"=?base64?ZG9jczovL2NhZsO?=",
        b"=?base64?ZG9jczovL2NhZg==?=",
        b"=?BASE64?ZG9jczovL2NhZsOp?=",
        b"=?base64?ZG9jczovL2NhZsOp",
        b"=?base64?ZG9jczovL2NhZsOp ?=",
        b"=?base64?/w==?=",
        b"=?base64??=",
    ] {
        assert_eq!(code(value)["code"], -32020, "{}", String::from_utf8_lossy(value));
    }
    let plain = read("docs://full");
    assert_eq!(send(with(&plain, "mcp-name", b"=?base64?ZG9jczovL2Z1bGw=?="), &plain).status, Status::Ok);
}

#[test]
fn w5_3_a_mirrored_header_is_present_once_and_in_visible_ascii() {
    let body = read("docs://full");
    for (name, value) in
        [("mcp-protocol-version", MODERN), ("mcp-method", "resources/read"), ("mcp-name", "docs://full")]
    {
        let mut twice = mirrored(&body);
        twice.push((name, value.as_bytes().to_vec()));
        assert_eq!(send(twice, &body).code(), -32020, "{name}");
        let odd = with(&body, name, &[value.as_bytes(), b"\x7f"].concat());
        assert_eq!(send(odd, &body).code(), -32020, "{name}");
    }
}

#[test]
fn w5_4_an_error_of_a_handler_is_not_a_rejection() {
    for uri in ["docs://unknown", "docs://gone", "docs://private", "docs://quota"] {
        assert_eq!(send(mirrored(&read(uri)), &read(uri)).status, Status::Ok, "{uri}");
    }
    let mut unknown = list();
    unknown["params"]["cursor"] = "x".into();
    assert_eq!(send(mirrored(&unknown), &unknown).status, Status::Ok);
    let mut incomplete = list();
    incomplete["params"]["_meta"] = json!({ VERSION_KEY: MODERN });
    assert_eq!(send(mirrored(&incomplete), &incomplete).status, Status::Invalid);
    assert!(meta().is_object());
}
