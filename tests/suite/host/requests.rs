//! B2.1 to B2.3: the exact requests to the host, and when none is sent.

use std::collections::HashSet;

use grange_core::{HostError, HostFilter, HostStatus};
use grange_testkit::{FakeHost, HostBlock};
use serde_json::{Value, json};

use super::{FILE, ID, ask, asking, clients, newest, request_count, soon};
use crate::raw::Pipe;

const READ: &str = "ai.nimblebrain/resources/read";
const LIST: &str = "ai.nimblebrain/resources/list";

#[tokio::test(start_paused = true)]
async fn b2_1_requests_are_exactly_these() {
    let filters = || {
        [
            HostFilter::new(),
            HostFilter::new().mime_type("text/csv").tag("a"),
            HostFilter::new().scheme("files"),
            HostFilter::new().tags(["a", "b"]).tag("c"),
            HostFilter::new().tags([""; 0]),
            HostFilter::new().scheme("files").mime_type("text/csv").tags(["é\u{1f600}\""]),
        ]
    };
    let (server, found) = asking(move |host| async move {
        host.read(FILE).await.unwrap();
        for filter in filters() {
            host.list(filter).await.unwrap();
        }
    });
    let filtered = |filter: Value| json!({ "_meta": { "filter": filter } });
    let expected = [
        (READ, json!({ "uri": FILE })),
        (LIST, json!({})),
        (LIST, filtered(json!({ "mimeType": "text/csv", "tags": ["a"] }))),
        (LIST, filtered(json!({ "scheme": "files" }))),
        (LIST, filtered(json!({ "tags": ["a", "b", "c"] }))),
        (LIST, json!({})),
        (LIST, filtered(json!({ "scheme": "files", "mimeType": "text/csv", "tags": ["é\u{1f600}\""] }))),
    ];
    let expected: Vec<_> = (1..)
        .zip(&expected)
        .map(|(id, (method, params))| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
        .collect();
    for mut client in clients(&server, || FakeHost::new().file(ID, "text/plain", "hello")).await {
        ask(&mut client).await;
        found.one();
        assert_eq!(client.host().log().iter().map(|message| message.json().clone()).collect::<Vec<_>>(), expected);
        // Only the answer to the request follows, no notification.
        assert_eq!(client.take_unread(), [json!(null); 0]);
    }
}

#[tokio::test(start_paused = true)]
async fn b2_2_ids_are_unique_and_independent_of_the_clients_ids() {
    let (server, found) = asking(|host| async move { host.read_text(FILE).await.unwrap().to_string() });
    for mut client in clients(&server, || FakeHost::new().file(ID, "text/plain", "hello")).await {
        // The id of the first call is also the id of the server's first request.
        let call = client.start_tool("ask", json!({}));
        assert_eq!(call.id(), 1);
        soon(client.finish_tool(call)).await.unwrap();
        assert_eq!(client.host().log()[0].id(), Some(&json!(1)));
        for _ in 0..20 {
            ask(&mut client).await;
        }
        assert_eq!(found.take(), ["hello"; 21]);
        let ids: HashSet<_> = client.host().requests().map(|request| request.id().cloned()).collect();
        assert_eq!(ids.len(), 21);
    }
}

#[tokio::test(start_paused = true)]
async fn b2_2_ids_are_unique_among_concurrent_calls() {
    let (server, found) = asking(|host| async move { host.read_text(FILE).await.unwrap().to_string() });
    for (_, mut client) in newest(&server, || FakeHost::new().file(ID, "text/plain", "hello").together(10)).await {
        let calls: Vec<_> = (0..10).map(|_| client.start_tool("ask", json!({}))).collect();
        for call in calls {
            soon(client.finish_tool(call)).await.unwrap();
        }
        assert_eq!(found.take(), ["hello"; 10]);
        let ids: HashSet<_> = client.host().requests().map(|request| request.id().cloned()).collect();
        assert_eq!(ids.len(), 10);
    }
}

#[tokio::test(start_paused = true)]
async fn b2_3_an_unavailable_operation_sends_no_message() {
    let (server, found) = asking(|host| async move {
        let read = [host.read(FILE).await.err(), host.read_text(FILE).await.err(), host.read_bytes(FILE).await.err()];
        (read, host.list(HostFilter::new()).await.err())
    });
    let missing = |capability, status| Some(HostError::CapabilityMissing { capability, status });
    for block in [HostBlock::Absent, HostBlock::Text, HostBlock::EnabledText] {
        let status = if block == HostBlock::EnabledText { HostStatus::ReadDisabled } else { HostStatus::NotAdvertised };
        for mut client in clients(&server, || FakeHost::new().block(block).file(ID, "text/plain", "hello")).await {
            ask(&mut client).await;
            let (read, list) = found.one();
            assert_eq!(read, [missing("read", status), missing("read", status), missing("read", status)], "{block:?}");
            assert_eq!(list, missing("list", status), "{block:?}");
            assert_eq!(client.host().log(), [], "{block:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn b2_3_the_two_operations_are_enabled_separately() {
    let (server, found) =
        asking(|host| async move { (host.read(FILE).await.err(), host.list(HostFilter::new()).await.err()) });
    let missing = |capability, status| Some(HostError::CapabilityMissing { capability, status });
    for (block, expected) in [
        (HostBlock::ReadDisabled, (missing("read", HostStatus::ReadDisabled), None)),
        (HostBlock::ListDisabled, (None, missing("list", HostStatus::Available))),
    ] {
        for mut client in clients(&server, || FakeHost::new().block(block).file(ID, "text/plain", "hello")).await {
            ask(&mut client).await;
            assert_eq!(found.one(), expected, "{block:?}");
            assert_eq!(request_count(&client), 1, "{block:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn b2_3_a_scheme_that_the_host_does_not_advertise_is_rejected_locally() {
    const URIS: [&str; 10] = [
        "entities://1",
        "FILES://fl_0123456789abcdef01234567",
        "fl_0123456789abcdef01234567",
        "/etc/passwd",
        "",
        ":",
        "://fl_0123456789abcdef01234567",
        "1files://a",
        "fi les://a",
        " files://a",
    ];
    let (server, found) = asking(|host| async move {
        let mut errors = Vec::new();
        for uri in URIS {
            errors.push(host.read(uri).await.unwrap_err());
        }
        errors
    });
    let unsupported = |uri: &str| HostError::UnsupportedScheme {
        uri: Some(uri.to_owned()),
        supported: Some(vec!["files".to_owned()]),
    };
    for mut client in clients(&server, FakeHost::new).await {
        ask(&mut client).await;
        assert_eq!(found.one(), URIS.map(unsupported));
        assert_eq!(client.host().log(), []);
    }
    // An invalid list of schemes supports none.
    let (server, found) = asking(|host| async move { host.read(FILE).await.unwrap_err() });
    for (_, mut client) in newest(&server, || FakeHost::new().block(HostBlock::SchemesText)).await {
        ask(&mut client).await;
        let expected = HostError::UnsupportedScheme { uri: Some(FILE.to_owned()), supported: Some(Vec::new()) };
        assert_eq!((found.one(), request_count(&client)), (expected, 0));
    }
}

#[tokio::test(start_paused = true)]
async fn b2_3_a_scheme_that_the_host_advertises_is_sent() {
    let (server, found) = asking(|host| async move { host.read("entities://1").await.unwrap_err() });
    for (_, mut client) in newest(&server, || FakeHost::new().schemes(&["files", "entities"])).await {
        ask(&mut client).await;
        let supported = Some(vec!["files".to_owned()]);
        assert_eq!(found.one(), HostError::UnsupportedScheme { uri: Some("entities://1".to_owned()), supported });
        assert_eq!(request_count(&client), 1);
    }
}

#[test]
fn w3_17_requests_to_the_host_wait_for_the_initialized_notification() {
    let (server, found) = asking(|host| async move { host.read_text(FILE).await.unwrap().to_string() });
    let mut host = FakeHost::new().file(ID, "text/plain", "hello");
    let (capabilities, info) = (host.client_capabilities(), host.client_info());
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": info });
    let mut pipe = Pipe::new(&server);
    pipe.say(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }).to_string());
    let called = pipe.say(r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"ask"}}"#);
    assert_eq!(called, [json!(null); 0]);
    let messages = pipe.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    assert_eq!(messages.len(), 1);
    let messages = pipe.say(&host.answer(&messages[0])[0].to_string());
    assert_eq!((&messages[0]["id"], found.one()), (&json!(5), "hello".to_owned()));
}
