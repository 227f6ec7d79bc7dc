//! Bad input: for any capabilities and answers of a host, a tool gets an error or a file, and the connection continues.

use std::time::Duration;

use grange_core::{HostError, HostFilter, HostStatus, Revision};
use grange_testkit::{Client, FakeHost, HostBehavior};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{FILE, ID, Way, ask, asking, soon};

const KEY: &str = "ai.nimblebrain/host-resources";

/// JSON of any type, up to three levels deep, with some names and values that have a meaning here.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop_oneof![Just("files"), Just("true"), Just("x"), Just(""), Just("YQ=="), Just(FILE)].prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    let name = prop_oneof![
        prop_oneof![Just(KEY), Just("extensions"), Just("experimental"), Just("read"), Just("list"), Just("write")],
        prop_oneof![Just("enabled"), Just("schemes"), Just("maxSize"), Just("range"), Just("uri"), Just("text")],
        prop_oneof![Just("blob"), Just("contents"), Just("resources"), Just("name"), Just("_meta"), Just("nextCursor")],
        prop_oneof![Just("code"), Just("message"), Just("data"), Just("retryAfterMs"), Just("mimeType"), Just("a")],
    ];
    leaf.prop_recursive(3, 24, 4, move |inner| {
        let members = prop::collection::vec((name.clone(), inner.clone()), 0..5);
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Value::from),
            members.prop_map(|members| {
                Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
            }),
        ]
    })
}

/// A well-formed block with one value, at any level, replaced by any JSON.
fn almost_a_block() -> impl Strategy<Value = Value> {
    let pointers = prop::sample::select(vec![
        "",
        "/extensions",
        "/extensions/ai.nimblebrain~1host-resources",
        "/extensions/ai.nimblebrain~1host-resources/read",
        "/extensions/ai.nimblebrain~1host-resources/read/enabled",
        "/extensions/ai.nimblebrain~1host-resources/read/maxSize",
        "/extensions/ai.nimblebrain~1host-resources/list",
        "/extensions/ai.nimblebrain~1host-resources/list/enabled",
        "/extensions/ai.nimblebrain~1host-resources/schemes",
        "/extensions/ai.nimblebrain~1host-resources/schemes/0",
    ]);
    (pointers, any_json(), any::<bool>()).prop_map(|(pointer, replacement, moved)| {
        let mut capabilities = FakeHost::new().client_capabilities().unwrap();
        *capabilities.pointer_mut(pointer).unwrap() = replacement;
        if moved && let Some(block) = capabilities.as_object_mut().and_then(|all| all.remove("extensions")) {
            capabilities["experimental"] = block;
        }
        capabilities
    })
}

/// A second implementation of the statements B1.1 to B1.3 and B1.6.
fn expected(capabilities: &Value) -> (HostStatus, bool, bool, Option<u64>) {
    let places = ["extensions", "experimental"].into_iter();
    let mut blocks =
        places.filter_map(|place| capabilities.as_object()?.get(place)?.as_object()?.get(KEY)?.as_object());
    let Some(block) = blocks.next() else { return (HostStatus::NotAdvertised, false, false, None) };
    let part = |name: &str| block.get(name).and_then(Value::as_object).cloned().unwrap_or_default();
    let enabled = |part: &Map<String, Value>| matches!(part.get("enabled"), Some(Value::Bool(true)));
    let (read, list) = (part("read"), part("list"));
    let status = if enabled(&read) { HostStatus::Available } else { HostStatus::ReadDisabled };
    let supported = match block.get("schemes") {
        Some(Value::Array(schemes)) => schemes.contains(&"files".into()),
        _ => false,
    };
    (status, enabled(&list), supported, read.get("maxSize").and_then(Value::as_u64))
}

fn within_a_runtime<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap().block_on(work)
}

async fn connected(capabilities: &Value) -> Vec<Client> {
    let (server, found) = asking(|host| async move {
        (host.status(), host.list_available(), host.supports_scheme("files"), host.max_read_size())
    });
    let mut clients = Vec::new();
    for (way, revision) in [(Way::Pipe, Revision::V2024_10_07), (Way::Http, Revision::V2025_11_25)] {
        let host = FakeHost::new().capabilities(capabilities.clone());
        let mut client = way.connect(&server, revision, host).await;
        ask(&mut client).await;
        assert_eq!(found.one(), expected(capabilities), "{way:?} {capabilities}");
        clients.push(client);
    }
    clients
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn b1_1_any_capabilities_are_parsed_strictly(capabilities in prop_oneof![any_json(), almost_a_block()]) {
        within_a_runtime(connected(&capabilities));
    }

    #[test]
    fn any_answer_is_a_file_or_an_error(member in prop_oneof![Just("result"), Just("error")], content in any_json()) {
        within_a_runtime(answered(member, &content));
    }
}

/// The result of a tool for this answer: a file, or an error that is not a time-out.
async fn answered(member: &'static str, content: &Value) {
    let (server, found) = asking(|host| async move {
        let host = host.with_timeout(Duration::from_millis(10));
        (host.read(FILE).await, host.list(HostFilter::new()).await)
    });
    for way in [Way::Pipe, Way::Http] {
        let content = content.clone();
        let host = FakeHost::new().answers_with(move |request| {
            let mut answer = json!({ "jsonrpc": "2.0", "id": request["id"] });
            answer[member] = content.clone();
            vec![answer]
        });
        let mut client = way.connect(&server, Revision::V2025_11_25, host).await;
        ask(&mut client).await;
        let (read, list) = found.one();
        for error in [read.as_ref().err(), list.as_ref().err()].into_iter().flatten() {
            let timed_out = matches!(error, HostError::Timeout(_) | HostError::Cancelled | HostError::Disconnected);
            assert!(!timed_out && !error.to_string().is_empty(), "{error:?}");
        }
        assert!(member == "result" || (read.is_err() && list.is_err()), "{read:?} {list:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn error_objects_of_wrong_shapes_are_invalid_responses() {
    for error in [
        json!(null),
        json!("x"),
        json!([]),
        json!(-32002),
        json!({}),
        json!({ "message": "x" }),
        json!({ "code": null, "message": "x" }),
        json!({ "code": "-32002", "message": "x" }),
        json!({ "code": -32002.5, "message": "x" }),
        json!({ "code": [], "message": "x" }),
        json!({ "code": u64::MAX, "message": "x" }),
    ] {
        let (server, found) = asking(|host| async move { host.read(FILE).await.unwrap_err() });
        for way in [Way::Pipe, Way::Http] {
            let error = error.clone();
            let shown = error.to_string();
            let host = FakeHost::new()
                .answers_with(move |request| vec![json!({ "jsonrpc": "2.0", "id": request["id"], "error": error })]);
            ask(&mut way.connect(&server, Revision::V2025_11_25, host).await).await;
            let found = found.one();
            assert!(matches!(found, HostError::InvalidResponse(_)), "{shown}: {found:?}");
        }
    }
    // A message of another type is ignored; the code is still used.
    for message in [json!(null), json!(7), json!({ "a": 1 })] {
        let (server, found) = asking(|host| async move { host.read(FILE).await.unwrap_err() });
        let host = FakeHost::new().answers_with(move |request| {
            vec![json!({ "jsonrpc": "2.0", "id": request["id"], "error": { "code": -32002, "message": message } })]
        });
        ask(&mut Way::Http.connect(&server, Revision::V2025_11_25, host).await).await;
        assert_eq!(found.one(), HostError::NotFound { uri: None });
    }
}

#[tokio::test(start_paused = true)]
async fn answers_that_are_not_messages_are_rejected() {
    let (server, found) = asking(|host| async move { host.read_text(FILE).await.map(|text| text.to_string()) });
    for way in [Way::Pipe, Way::Http] {
        let host = FakeHost::new().file(ID, "text/plain", "hello").behavior(HostBehavior::NeverAnswers);
        let mut client = way.connect(&server, Revision::V2025_11_25, host).await;
        let call = client.start_tool("ask", json!({}));
        client.settle();
        // Neither result nor error, or both, or not JSON-RPC 2.0: rejected, and no part of it is used.
        for broken in [
            r#"{"jsonrpc":"2.0","id":1}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"contents":[]},"error":{"code":1,"message":"x"}}"#,
            r#"{"jsonrpc":"1.0","id":1,"result":{"contents":[]}}"#,
            r#"{"id":1,"result":{"contents":[]}}"#,
            r#"{"jsonrpc":"2.0","id":1.5,"result":{"contents":[]}}"#,
            r#"{"jsonrpc":"2.0","id":[1],"result":{"contents":[]}}"#,
            r#"{"jsonrpc":"2.0","id":1,"id":1,"result":{"contents":[]}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"contents":["#,
            r#"[{"jsonrpc":"2.0","id":1,"result":{"contents":[]}}]"#,
        ] {
            let mut unobserved = soon(client.raw(broken)).await;
            assert_eq!(unobserved.len(), 1, "{broken}: {unobserved:?}");
            assert!(unobserved.remove(0).get("error").is_some(), "{broken}");
            assert_eq!(found.take(), [], "{broken}");
        }
        let request = client.host().log()[0].json().clone();
        let answer = client.host_mut().proper_answer(&request);
        client.send(&answer);
        soon(client.finish_tool(call)).await.unwrap();
        assert_eq!(found.one(), Ok("hello".to_owned()));
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_in_a_batch_is_accepted_in_revisions_with_batches() {
    let (server, found) = asking(|host| async move { host.read_text(FILE).await.map(|text| text.to_string()) });
    for revision in [Revision::V2024_11_05, Revision::V2025_03_26] {
        for way in Way::ALL {
            let host = FakeHost::new().file(ID, "text/plain", "hello").behavior(HostBehavior::NeverAnswers);
            let mut client = way.connect(&server, revision, host).await;
            let call = client.start_tool("ask", json!({}));
            client.settle();
            let request = client.host().log()[0].json().clone();
            let answer = client.host_mut().proper_answer(&request);
            let stray = json!({ "jsonrpc": "2.0", "id": 99, "result": {} });
            client.send(&json!([stray, answer]));
            soon(client.finish_tool(call)).await.unwrap();
            assert_eq!(found.one(), Ok("hello".to_owned()), "{revision} {way:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn answers_up_to_the_depth_limit_are_read() {
    let (server, found) = asking(|host| async move { host.read(FILE).await.map(|contents| contents.items().len()) });
    for (depth, expected) in [(120, Ok(1)), (200, Err(HostError::Timeout(Duration::from_secs(30))))] {
        for way in [Way::Pipe, Way::Http] {
            let host = FakeHost::new().behavior(HostBehavior::NeverAnswers);
            let mut client = way.connect(&server, Revision::V2025_11_25, host).await;
            let call = client.start_tool("ask", json!({}));
            client.settle();
            let nested = format!("{}0{}", "[".repeat(depth), "]".repeat(depth));
            let item = format!(r#"{{"uri":"{FILE}","text":"x","_meta":{{"a":{nested}}}}}"#);
            let result = format!(r#"{{"contents":[{item}]}}"#);
            soon(client.raw(format!(r#"{{"jsonrpc":"2.0","id":1,"result":{result}}}"#))).await;
            client.clock().advance(Duration::from_secs(30));
            client.settle();
            assert_eq!(found.one(), expected, "{depth} {way:?}");
            drop(call);
        }
    }
}
