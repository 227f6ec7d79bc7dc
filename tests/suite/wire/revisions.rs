//! Section 1 of the contract: what clients of each revision get.

use grange_core::Revision;
use serde_json::{Value, json};

use super::fixture::{self, handshakes};
use crate::raw::{self, MODERN, Pipe, legacy, modern};

/// The entry of `docs://full` and the content item of its read, in this revision.
fn shown(version: &str) -> (Value, Value) {
    let server = fixture::server();
    let uri = json!({ "uri": "docs://full" });
    let (list, read) = if version == MODERN {
        (modern(&server, "resources/list", json!({})), modern(&server, "resources/read", uri))
    } else {
        (legacy(&server, version, "resources/list", &json!({})), legacy(&server, version, "resources/read", &uri))
    };
    (list.result()["resources"][0].clone(), read.result()["contents"][0].clone())
}

fn names(value: &Value) -> Vec<&str> {
    let mut names: Vec<_> = value.as_object().expect("an object").keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

#[test]
fn w1_1_entries_and_items_have_the_fields_of_the_row() {
    let bare = vec!["annotations", "description", "mimeType", "name", "size", "uri"];
    let titled = vec!["_meta", "annotations", "description", "mimeType", "name", "size", "title", "uri"];
    let full = vec!["_meta", "annotations", "description", "icons", "mimeType", "name", "size", "title", "uri"];
    let item = vec!["mimeType", "text", "uri"];
    let item_with_meta = vec!["_meta", "mimeType", "text", "uri"];
    for (version, entry_fields, item_fields, dated) in [
        ("2024-10-07", &bare, &item, false),
        ("2024-11-05", &bare, &item, false),
        ("2025-03-26", &bare, &item, false),
        ("2025-06-18", &titled, &item_with_meta, true),
        ("2025-11-25", &full, &item_with_meta, true),
        (MODERN, &full, &item_with_meta, true),
    ] {
        let (entry, content) = shown(version);
        assert_eq!(&names(&entry), entry_fields, "{version}");
        assert_eq!(&names(&content), item_fields, "{version}");
        let annotations = json!({ "audience": ["user", "assistant"], "priority": 0.5 });
        let mut expected = annotations;
        if dated {
            expected["lastModified"] = "2026-01-01T00:00:00Z".into();
        }
        assert_eq!(entry["annotations"], expected, "{version}");
    }
}

#[test]
fn w1_1_values_are_sent_as_declared() {
    let (entry, item) = shown(MODERN);
    assert_eq!(
        entry,
        json!({
            "uri": "docs://full", "name": "full", "title": "Full", "description": "Everything a listing can say",
            "mimeType": "text/markdown", "size": 6,
            "annotations": { "audience": ["user", "assistant"], "priority": 0.5, "lastModified": "2026-01-01T00:00:00Z" },
            "icons": [{ "src": "https://example.com/i.png", "mimeType": "image/png", "sizes": ["48x48"], "theme": "dark" }],
            "_meta": { "example.com/listed": true },
        })
    );
    assert_eq!(
        item,
        json!({ "uri": "docs://full", "mimeType": "text/markdown", "text": "# Full", "_meta": { "example.com/item": 1 } })
    );
}

#[test]
fn w1_1_server_info_has_the_fields_of_the_row() {
    let bare = vec!["name", "version"];
    let titled = vec!["name", "title", "version"];
    let full = vec!["description", "icons", "name", "title", "version", "websiteUrl"];
    for (version, fields) in [
        ("2024-10-07", &bare),
        ("2024-11-05", &bare),
        ("2025-03-26", &bare),
        ("2025-06-18", &titled),
        ("2025-11-25", &full),
    ] {
        let result = initialize(version);
        assert_eq!(&names(&result["serverInfo"]), fields, "{version}");
        assert_eq!(names(&result), ["capabilities", "instructions", "protocolVersion", "serverInfo"], "{version}");
    }
    let result = modern(&fixture::server(), "resources/list", json!({})).result();
    assert_eq!(names(&result["_meta"]["io.modelcontextprotocol/serverInfo"]), full);
}

#[test]
fn w1_1_only_modern_results_have_the_envelope() {
    for revision in handshakes() {
        for (method, params) in [("resources/list", json!({})), ("resources/templates/list", json!({}))] {
            let result = legacy(&fixture::server(), revision.name(), method, &params).result();
            assert_eq!(result.as_object().expect("an object").len(), 1, "{revision} {result}");
        }
        // Result-level `_meta` exists in every revision, item `_meta` since 2025-06-18.
        let read = legacy(&fixture::server(), revision.name(), "resources/read", &json!({ "uri": "reports://latest" }));
        let result = read.result();
        assert_eq!(names(&result), ["_meta", "contents"], "{revision}");
        assert_eq!(result["_meta"], json!({ "example.com/report-version": 1 }), "{revision}");
    }
}

fn initialize(version: &str) -> Value {
    let params =
        json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    Pipe::new(&fixture::server()).request("initialize", &params)["result"].clone()
}

#[test]
fn w1_2_initialize_negotiates_a_served_revision() {
    for revision in handshakes() {
        assert_eq!(initialize(revision.name())["protocolVersion"], revision.name());
    }
    for other in [MODERN, "2099-01-01", "1.0", "", "2025-11-26", "garbage"] {
        assert_eq!(initialize(other)["protocolVersion"], "2025-11-25", "{other}");
    }
    for params in [json!({}), json!({ "protocolVersion": 1 }), json!({ "protocolVersion": null })] {
        let mut pipe = Pipe::new(&fixture::server());
        assert_eq!(pipe.request("initialize", &params)["error"]["code"], -32602, "{params}");
        // The first one failed, so the next one opens.
        assert_eq!(
            pipe.request("initialize", &json!({ "protocolVersion": "2025-06-18" }))["result"]["protocolVersion"],
            "2025-06-18"
        );
    }
}

#[test]
fn w1_3_a_selection_of_revisions_applies_to_both_eras() {
    let server = fixture::only([Revision::V2024_11_05, Revision::V2025_06_18]);
    let settled = |version: &str| {
        Pipe::new(&server).request("initialize", &json!({ "protocolVersion": version }))["result"]["protocolVersion"]
            .clone()
    };
    assert_eq!(settled("2024-11-05"), "2024-11-05");
    assert_eq!(settled("2025-11-25"), "2025-06-18");
    assert_eq!(settled("2025-03-26"), "2025-06-18");
}

#[test]
fn w1_3_without_legacy_revisions_initialize_gets_the_served_ones() {
    let server = fixture::only([Revision::V2026_07_28]);
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {} });
    let on_pipe = Pipe::new(&server).request("initialize", &params);
    assert_eq!(on_pipe["error"]["code"], -32022);
    assert_eq!(on_pipe["error"]["data"], json!({ "supported": [MODERN], "requested": "2025-11-25" }));
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
    let over_http = raw::post(&server, None, &body.to_string()).expect("an answer");
    assert_eq!(over_http.status.clone(), grange_core::Status::Invalid);
    assert!(over_http.json()["error"]["message"].as_str().expect("a message").contains(MODERN), "{}", over_http.text);
}

#[test]
fn w1_3_without_modern_revisions_a_marked_request_does_not_get_the_unsupported_code() {
    let server = fixture::only([Revision::V2025_06_18]);
    let over_http = modern(&server, "server/discover", json!({}));
    assert_eq!((over_http.status.clone(), over_http.code()), (grange_core::Status::Invalid, -32600));
    let line = raw::modern_body(&json!(1), "server/discover", json!({}));
    let on_pipe = Pipe::new(&server).ask(&line.to_string());
    assert_eq!(on_pipe["error"]["code"], -32601);
    for message in [over_http.json()["error"]["message"].clone(), on_pipe["error"]["message"].clone()] {
        assert!(message.as_str().expect("a message").contains("2025-06-18"), "{message}");
    }
}

#[test]
fn w1_4_capabilities_match_the_served_methods() {
    let bare = grange_core::Server::builder("bare", "1").build().expect("a server without resources");
    let empty = grange_core::Server::builder("empty", "1").resources([]).build().expect("an empty set");
    for (server, capabilities) in
        [(&bare, json!({})), (&empty, json!({ "resources": {} })), (&fixture::server(), json!({ "resources": {} }))]
    {
        assert_eq!(modern(server, "server/discover", json!({})).result()["capabilities"], capabilities);
        let result = Pipe::new(server).request("initialize", &json!({ "protocolVersion": "2025-11-25" }));
        assert_eq!(result["result"]["capabilities"], capabilities);
    }
    assert_eq!(modern(&bare, "resources/list", json!({})).code(), -32601);
    assert_eq!(modern(&empty, "resources/list", json!({})).result()["resources"], json!([]));
}
