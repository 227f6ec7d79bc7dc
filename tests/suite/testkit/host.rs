//! The fake host alone: it answers, rejects and misbehaves as hosts do, without a transport.

use std::time::Duration;

use grange_core::{Revision, Server, Tool};
use grange_testkit::{
    FakeHost, HostAct, HostBehavior, HostBlock, ManualClock, Stream, connect_host, connect_host_http,
};
use serde_json::{Value, json};

const ID: &str = "fl_0123456789abcdef01234567";
const FILE: &str = "files://fl_0123456789abcdef01234567";

fn read(uri: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "ai.nimblebrain/resources/read", "params": { "uri": uri } })
}

fn list(params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 2, "method": "ai.nimblebrain/resources/list", "params": params })
}

fn files() -> FakeHost {
    FakeHost::new().named_file(ID, "sales.csv", "text/csv; charset=utf-8", &b"a\xff"[..], &["a", "b"]).named_file(
        "fl_m3k9x2ab_0123abcd",
        "logo.png",
        "image/png",
        &b"\xfb\xff\x00"[..],
        &["a"],
    )
}

/// The host's only answer to a message.
fn answer(host: &mut FakeHost, request: &Value) -> Value {
    let mut answers = host.answer(request);
    assert_eq!(answers.len(), 1, "{answers:?}");
    answers.remove(0)
}

#[test]
fn a_file_is_sent_as_text_or_as_bytes() {
    let mut host = files();
    let contents = json!([{ "uri": FILE, "mimeType": "text/csv; charset=utf-8", "text": "a\u{fffd}" }]);
    let expected = json!({ "jsonrpc": "2.0", "id": 1, "result": { "contents": contents } });
    assert_eq!(answer(&mut host, &read(&json!(FILE))), expected);
    let blob = answer(&mut host, &read(&json!("files://fl_m3k9x2ab_0123abcd")));
    assert_eq!(blob["result"]["contents"][0]["blob"], "+/8A");
    assert_eq!(blob["result"]["contents"][0].get("text"), None);
    // A file with the same id replaces the first.
    let mut host = host.file(ID, "application/json", "{}");
    assert_eq!(answer(&mut host, &read(&json!(FILE)))["result"]["contents"][0]["text"], "{}");
}

#[test]
fn reads_are_checked_in_the_order_of_real_hosts() {
    let clock = ManualClock::new();
    let mut host = files().max_size(2).rate(5, 2).on_clock(&clock);
    let error = |code: i64, text: &str, data: Value| json!({ "code": code, "message": format!("MCP error {code}: {text}"), "data": data });
    let unsupported = |uri: Value| error(-32602, "Unsupported scheme", json!({ "uri": uri, "supported": ["files"] }));
    let missing = error(-32002, "Resource not found", json!({ "uri": "files://fl_none" }));
    let uri = json!("files://fl_m3k9x2ab_0123abcd");
    let too_large = error(-32005, "Resource too large", json!({ "uri": uri, "size": 3, "maxSize": 2 }));
    for (uri, expected) in [
        (json!("entities://fl_none"), unsupported(json!("entities://fl_none"))),
        (json!("files://"), unsupported(json!("files://"))),
        (json!(7), unsupported(json!(7))),
        (json!("files://fl_none"), missing),
        (uri, too_large),
    ] {
        assert_eq!(answer(&mut host, &read(&uri))["error"], expected);
    }
    let limited = error(-32004, "Rate limited", json!({ "retryAfterMs": 500 }));
    assert_eq!(answer(&mut host, &read(&json!("entities://x")))["error"], limited);
    clock.advance(Duration::from_millis(500));
    assert!(answer(&mut host, &read(&json!(FILE))).get("result").is_some());
}

#[test]
fn lists_are_filtered_and_checked_in_the_order_of_real_hosts() {
    let mut host = files();
    let mut names = |filter: Value| -> Vec<Value> {
        let listed = answer(&mut host, &list(&json!({ "_meta": { "filter": filter } })));
        listed["result"]["resources"].as_array().unwrap().iter().map(|entry| entry["name"].clone()).collect()
    };
    assert_eq!(names(json!({})), ["sales.csv", "logo.png"]);
    assert_eq!(names(json!({ "tags": [], "scheme": "files" })), ["sales.csv", "logo.png"]);
    assert_eq!(names(json!({ "tags": ["a", "b"] })), ["sales.csv"]);
    assert_eq!(names(json!({ "mimeType": "image/png" })), ["logo.png"]);
    assert_eq!(names(json!({ "mimeType": "text/csv" })), [""; 0]);
    let entry = json!({ "uri": FILE, "name": "sales.csv", "mimeType": "text/csv; charset=utf-8" });
    assert_eq!(answer(&mut host, &list(&json!({})))["result"]["resources"][0], entry);
    // An empty cursor counts as none.
    assert!(answer(&mut host, &list(&json!({ "cursor": "" }))).get("result").is_some());

    let mut data = |params: Value| answer(&mut host, &list(&params))["error"]["data"].clone();
    let all_wrong = json!({ "cursor": "7", "_meta": { "filter": { "scheme": "entities", "tags": "a" } } });
    assert_eq!(data(all_wrong), json!({ "scheme": "entities", "supported": ["files"] }));
    assert_eq!(data(json!({ "cursor": "7", "_meta": { "filter": { "tags": 7 } } })), json!({ "cursor": "7" }));
    for (tags, name) in [
        (json!("a"), "string"),
        (json!(7), "number"),
        (json!(true), "boolean"),
        (json!({}), "object"),
        (json!(null), "object"),
    ] {
        assert_eq!(data(json!({ "_meta": { "filter": { "tags": tags } } })), json!({ "receivedType": name }));
    }
}

#[test]
fn the_host_answers_ping_and_no_unknown_method() {
    let request = |method: &str| json!({ "jsonrpc": "2.0", "id": "a", "method": method });
    for behavior in [HostBehavior::Proper, HostBehavior::NeverAnswers, HostBehavior::EmptyResult] {
        let mut host = files().behavior(behavior);
        assert_eq!(answer(&mut host, &request("ping")), json!({ "jsonrpc": "2.0", "id": "a", "result": {} }));
        assert_eq!(answer(&mut host, &request("sampling/createMessage"))["error"]["code"], -32601);
    }
}

#[test]
fn all_messages_are_logged_and_notifications_get_no_answer() {
    let mut host = files();
    let cancelled = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    assert_eq!(host.act(Stream::Post(3), &cancelled), []);
    assert_eq!(host.act(Stream::Get, &json!({ "jsonrpc": "2.0", "id": 1, "result": {} })), []);
    host.act(Stream::Post(4), &read(&json!(FILE)));
    let noted: Vec<_> = host.log().iter().map(|message| (message.method(), message.stream())).collect();
    assert_eq!(
        noted,
        [("notifications/cancelled", Stream::Post(3)), ("ai.nimblebrain/resources/read", Stream::Post(4))]
    );
    assert_eq!((host.log()[0].id(), host.log()[1].id()), (None, Some(&json!(1))));
    assert_eq!((host.log()[1].json(), host.requests().count()), (&read(&json!(FILE)), 1));
    assert_eq!(host.log()[0].params(), &json!({ "requestId": 1 }));
}

#[test]
fn each_behavior_misbehaves_as_documented() {
    let request = read(&json!(FILE));
    let acts = |behavior| files().behavior(behavior).act(Stream::Pipe, &request);
    let sent = |behavior| files().behavior(behavior).answer(&request);
    assert_eq!(acts(HostBehavior::DropsStream), [HostAct::DropStream]);
    assert_eq!(acts(HostBehavior::EndsSession), [HostAct::EndSession]);
    assert_eq!((sent(HostBehavior::NeverAnswers), sent(HostBehavior::DropsStream)), (vec![], vec![]));
    let twice = sent(HostBehavior::AnswersTwice);
    assert_eq!((&twice[0]["id"], &twice[1]["id"], twice.len()), (&json!(1), &json!(1), 2));
    assert!(twice[0].get("result").is_some() && twice[1].get("error").is_some());
    assert_eq!(sent(HostBehavior::AnswersUnknownId)[0]["id"], 1_000_001);
    assert_eq!(sent(HostBehavior::AnswersTextId)[0]["id"], "1");
    assert_eq!(sent(HostBehavior::EmptyResult)[0]["result"], json!({}));
    assert_eq!(sent(HostBehavior::WrongContents)[0]["result"], json!({ "contents": "nope" }));
    let both = json!({ "contents": [{ "uri": FILE, "text": "a", "blob": "YQ==" }] });
    assert_eq!(sent(HostBehavior::BothPayloads)[0]["result"], both);
    assert_eq!(sent(HostBehavior::BadBase64)[0]["result"]["contents"][0]["blob"], "!!");
    let bare = sent(HostBehavior::ErrorWithoutData(-32004));
    assert_eq!((&bare[0]["error"]["code"], bare[0]["error"].get("data")), (&json!(-32004), None));
    assert_eq!(sent(HostBehavior::NotImplemented)[0]["error"]["code"], -32601);
    let long = files().max_size(3).behavior(HostBehavior::TooLong).answer(&request);
    assert_eq!(long[0]["result"]["contents"][0]["text"], "xxxx");
    let nope = files().behavior(HostBehavior::WrongContents).answer(&list(&json!({})));
    assert_eq!(nope[0]["result"], json!({ "resources": "nope" }));
}

#[test]
fn answers_can_be_grouped_with_unrelated_notifications() {
    let mut host = files().together(2).notifies_before().notifies_after();
    assert_eq!(host.answer(&read(&json!(FILE))), [json!(null); 0]);
    let answers = host.answer(&list(&json!({})));
    let sent: Vec<_> = answers.iter().map(|answer| (answer["id"].as_u64(), answer["method"].as_str())).collect();
    let chatter = (None, Some("notifications/roots/list_changed"));
    assert_eq!(sent, [chatter, (Some(2), None), chatter, chatter, (Some(1), None), chatter]);
    assert_eq!(host.answer(&read(&json!(FILE))), [json!(null); 0]);
}

#[test]
fn capabilities_have_the_configured_form() {
    const KEY: &str = "ai.nimblebrain/host-resources";
    let capabilities = |block| files().block(block).client_capabilities().unwrap();
    assert_eq!(capabilities(HostBlock::Normal)["extensions"][KEY]["read"]["maxSize"], 10_485_760);
    assert_eq!(capabilities(HostBlock::Experimental)["experimental"][KEY]["schemes"], json!(["files"]));
    assert_eq!(
        (capabilities(HostBlock::Experimental).get("extensions"), capabilities(HostBlock::Absent).get("extensions")),
        (None, None)
    );
    assert_eq!(capabilities(HostBlock::Text)["extensions"], json!({ KEY: "x" }));
    assert_eq!(capabilities(HostBlock::SchemesText)["extensions"][KEY]["schemes"], "files");
    assert_eq!(capabilities(HostBlock::EnabledText)["extensions"][KEY]["read"]["enabled"], "true");
    assert_eq!(capabilities(HostBlock::ReadDisabled)["extensions"][KEY]["read"]["enabled"], false);
    assert_eq!(capabilities(HostBlock::ListDisabled)["extensions"][KEY]["list"]["enabled"], false);
    let other = files().max_size(7).schemes(&["a", "b"]).client_capabilities().unwrap();
    assert_eq!(other["extensions"][KEY]["read"]["maxSize"], 7);
    assert_eq!(other["extensions"][KEY]["schemes"], json!(["a", "b"]));
    assert_eq!(files().capabilities(json!([7])).client_capabilities(), Some(json!([7])));
    assert_eq!(files().without_capabilities().client_capabilities(), None);
}

#[test]
fn custom_answers_are_sent_unchanged() {
    let mut count = 0;
    let mut host = FakeHost::new().answers_with(move |request| {
        count += 1;
        vec![json!({ "count": count, "of": request["id"] }); 2]
    });
    assert_eq!(host.answer(&read(&json!(FILE))), [json!({ "count": 1, "of": 1 }), json!({ "count": 1, "of": 1 })]);
    assert_eq!(host.answer(&list(&json!({})))[0], json!({ "count": 2, "of": 2 }));
    assert_eq!(host.proper_answer(&read(&json!(FILE)))["error"]["code"], -32002);
}

fn nothing() -> Server {
    let tool = Tool::builder().name("nothing").call_without_arguments(|_cx| async { Ok("") });
    Server::builder("kit", "1.0.0").tool(tool).requests_to_client().revisions(Revision::ALL).build().unwrap()
}

#[tokio::test]
async fn a_client_of_any_revision_can_have_a_host() {
    for revision in Revision::ALL {
        let mut pipe = connect_host(&nothing(), revision, FakeHost::new()).await.unwrap();
        let mut http = connect_host_http(&nothing(), revision, FakeHost::new()).await.unwrap();
        for client in [&mut pipe, &mut http] {
            assert_eq!(client.server_info()["name"], "kit");
            assert_eq!(client.call_tool("nothing", json!({})).await.unwrap().text(), Some(""));
            assert_eq!(client.host().log(), []);
        }
    }
}

#[tokio::test]
async fn a_client_uses_the_clock_of_its_host() {
    let clock = ManualClock::new();
    let client = connect_host(&nothing(), Revision::V2025_06_18, FakeHost::new().on_clock(&clock)).await.unwrap();
    clock.advance(Duration::from_secs(7));
    assert_eq!(client.clock().now(), Duration::from_secs(7));
    assert_eq!(client.host().clock().now(), Duration::from_secs(7));
}

#[tokio::test]
async fn without_a_host_the_servers_requests_are_unread() {
    let tool = Tool::builder().name("asks").call_without_arguments(|cx| async move {
        Ok(cx.request("example.com/more", json!({}), Duration::from_secs(1)).await?.to_string())
    });
    let server = Server::builder("kit", "1.0.0").tool(tool).build().unwrap();
    let mut client = grange_testkit::connect(&server, Revision::V2025_06_18).await.unwrap();
    let call = client.start_tool("asks", json!({}));
    client.settle();
    let unread = client.take_unread();
    assert_eq!((unread.len(), &unread[0]["method"]), (1, &json!("example.com/more")));
    client.send(&json!({ "jsonrpc": "2.0", "id": unread[0]["id"], "result": { "a": 1 } }));
    assert_eq!(client.finish_tool(call).await.unwrap().text(), Some(r#"{"a":1}"#));
}
