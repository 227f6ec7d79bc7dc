//! Section 3 of the contract, the results of reads: which are sent and which are rejected.

use std::sync::Mutex;

use grange_core::{Contents, IntoContents, Item, ReadError, Resource, Server};
use serde_json::{Value, json};

use super::fixture::{self, reported};
use crate::raw::{legacy, modern};

fn read(server: &Server, uri: &str) -> Value {
    modern(server, "resources/read", json!({ "uri": uri })).result()
}

/// A resource whose reader returns this once.
fn reader(contents: impl IntoContents) -> Resource {
    let once = Mutex::new(Some(contents.into_contents()));
    let builder = Resource::builder().uri("r:1").name("r").mime_type("text/x-listed").content_meta(json!({ "own": 1 }));
    let take = move |_| {
        let contents = once.lock().expect("no test panics here").take();
        async move { contents.ok_or_else(|| ReadError::from("read twice")) }
    };
    builder.read(take).build()
}

#[test]
fn w3_3_several_items_none_and_empty_payloads() {
    let server = fixture::server();
    let items = read(&server, "reports://latest")["contents"].clone();
    assert_eq!(
        items,
        json!([
            { "uri": "reports://latest", "mimeType": "text/plain", "text": "Report complete.", "_meta": { "k": 1 } },
            { "uri": "reports://latest/data", "blob": "+/8A" },
        ])
    );
    assert_eq!(read(&server, "docs://nothing")["contents"], json!([]));
    assert_eq!(
        read(&server, "docs://empty")["contents"],
        json!([{ "uri": "docs://empty", "mimeType": "text/plain", "text": "" }])
    );
    assert_eq!(read(&server, "docs://empty-bin")["contents"], json!([{ "uri": "docs://empty-bin", "blob": "" }]));
}

#[test]
fn w3_3_large_payloads_of_every_kind_arrive_whole() {
    let plain = "x".repeat(100_000);
    let escaped = "line \"quoted\" \\ \u{1}\u{7f}\u{e9}\u{2028}\n".repeat(5000);
    let bytes: Vec<u8> = (0..100_000_u32).map(|index| (index % 251) as u8).collect();
    let resources = [
        Resource::builder().uri("t:plain").name("t").text(plain.clone()).build(),
        Resource::builder().uri("t:escaped").name("t").text(escaped.clone()).build(),
        Resource::builder().uri("t:bytes").name("t").content_meta(json!({ "k": 1 })).bytes(bytes.clone()).build(),
    ];
    let server = Server::builder("large", "1").resources(resources).build().expect("a server");
    for _ in 0..2 {
        assert_eq!(read(&server, "t:plain")["contents"][0]["text"], plain);
        assert_eq!(read(&server, "t:escaped")["contents"][0]["text"], escaped);
        let item = read(&server, "t:bytes")["contents"][0].clone();
        let decoded = Item::base64("x:y", item["blob"].as_str().expect("a blob").to_owned()).as_bytes();
        assert_eq!(decoded.expect("base64"), bytes);
        assert_eq!(item["_meta"], json!({ "k": 1 }));
        let old = legacy(&server, "2024-11-05", "resources/read", &json!({ "uri": "t:bytes" })).result();
        assert!(old["contents"][0].get("_meta").is_none());
    }
}

#[test]
fn w3_4_metadata_of_contents_is_kept_and_that_of_the_list_is_not_copied() {
    let deep = json!({ "a": [1, 2.5, null, { "b": "\u{e9}" }], "big": 9_007_199_254_740_993_u64 });
    let contents =
        Contents::new().item(Item::text("x:1", "t").meta("example.com/deep", &deep)).meta("example.com/whole", &deep);
    let (server, _) = reported(reader(contents));
    let result = read(&server, "r:1");
    assert_eq!(result["contents"], json!([{ "uri": "x:1", "text": "t", "_meta": { "example.com/deep": deep } }]));
    assert_eq!(result["_meta"]["example.com/whole"], deep);
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "told");
}

#[test]
fn w3_4_a_plain_payload_becomes_the_resources_own_item() {
    let (server, _) = reported(reader("bare".to_owned()));
    assert_eq!(
        read(&server, "r:1")["contents"],
        json!([{ "uri": "r:1", "mimeType": "text/x-listed", "text": "bare", "_meta": { "own": 1 } }])
    );
    let (server, _) = reported(reader(vec![0xfb_u8, 0xff, 0x00]));
    assert_eq!(read(&server, "r:1")["contents"][0]["blob"], "+/8A");
}

#[test]
fn w3_5_invalid_contents_are_an_internal_error_with_all_problems_in_the_report() {
    let item = |uri: &'static str| Item::text(uri, "t");
    for (contents, problems) in [
        (item("relative/uri").into_contents(), vec!["item uri `relative/uri`"]),
        (item("").into_contents(), vec!["item uri ``"]),
        (item("x:a b").into_contents(), vec!["item uri `x:a b`"]),
        (item("x:1").mime_type("text").into_contents(), vec!["item mime_type `text`"]),
        (item("x:1").meta("-bad-", 1).into_contents(), vec!["_meta key `-bad-`"]),
        (Item::base64("x:1", "YQ").into_contents(), vec!["base64"]),
        (Item::base64("x:1", "-_8A").into_contents(), vec!["base64"]),
        (Item::base64("x:1", "YQ==\n").into_contents(), vec!["base64"]),
        (
            Contents::new().item(item("x:\u{e9}")).item(item("no").mime_type("/")).meta("a/b/c", 1),
            vec!["x:\u{e9}", "item uri `no`", "item mime_type `/`", "_meta key `a/b/c`"],
        ),
        (
            Contents::new().meta("io.modelcontextprotocol/serverInfo", 1),
            vec!["_meta key `io.modelcontextprotocol/serverInfo` is the protocol's own"],
        ),
        (Contents::new().meta("k", std::collections::HashMap::from([(vec![1], 2)])), vec!["not JSON"]),
    ] {
        let (server, reported) = reported(reader(contents));
        let answer = modern(&server, "resources/read", json!({ "uri": "r:1" }));
        assert_eq!(answer.json()["error"], json!({ "code": -32603, "message": "Internal error" }));
        let reported = reported.lock().expect("no panic before").join("\n");
        for fault in problems {
            assert!(reported.contains(fault), "{fault:?} is not in {reported:?}");
        }
    }
    let (server, _) = fixture::reported(reader(Item::base64("x:1", "YQ==")));
    assert_eq!(read(&server, "r:1")["contents"][0]["blob"], "YQ==");
}

#[test]
fn w2_7_an_authors_public_error_reaches_the_client() {
    let answer = legacy(&fixture::server(), "2025-06-18", "resources/read", &json!({ "uri": "docs://quota" }));
    assert_eq!(
        answer.json()["error"],
        json!({ "code": 4290, "message": "quota exhausted", "data": { "retryAfterMs": 500 } })
    );
}

#[test]
fn w2_8_a_reader_can_return_not_found_and_the_revision_decides_the_code() {
    let server = fixture::server();
    let uri = json!({ "uri": "docs://gone" });
    let expected = |code| json!({ "code": code, "message": "Resource not found", "data": uri });
    assert_eq!(modern(&server, "resources/read", uri.clone()).json()["error"], expected(-32602));
    assert_eq!(legacy(&server, "2024-11-05", "resources/read", &uri).json()["error"], expected(-32002));
}
