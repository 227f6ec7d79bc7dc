//! B7: every behavior of the fake host, and its result in a tool.

use std::collections::BTreeSet;
use std::time::Duration;

use grange_core::{HostError, HostFilter, HostStatus, Resource, Revision, Server, Tool, host};
use grange_testkit::{Client, FakeHost, HostBehavior, HostBlock, Stream};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{FILE, Found, ID, OLD_FILE, OLD_ID, Way, ask, asking, clients, legacy, lending, newest, soon};

fn files() -> FakeHost {
    FakeHost::new().file(ID, "text/plain", "hello").file(OLD_ID, "text/plain", "older")
}

/// A server whose tool reads a file and records the result.
fn reading() -> (Server, Found<Result<String, HostError>>) {
    asking(|host| async move { host.read_text(FILE).await.map(|text| text.to_string()) })
}

#[tokio::test(start_paused = true)]
async fn b7_1_the_handshake_is_that_of_real_hosts() {
    let (server, _) = reading();
    for revision in legacy() {
        for way in Way::ALL {
            let mut client = way.connect(&server, revision, files()).await;
            let mut sent = Vec::new();
            let seen = Found::new();
            let kept = seen.clone();
            client.observe(move |_, message| kept.add(message.clone()));
            sent.append(&mut seen.take());
            assert_eq!(sent.len(), 3, "initialize, its answer, initialized");
            let params = json!({
                "protocolVersion": revision.name(),
                "capabilities": {
                    "tasks": { "requests": { "tools": { "call": {} } }, "cancel": {} },
                    "extensions": { "ai.nimblebrain/host-resources": {
                        "read": { "enabled": true, "range": false, "maxSize": 10_485_760 },
                        "list": { "enabled": true }, "write": { "enabled": false }, "schemes": ["files"]
                    } }
                },
                "clientInfo": { "name": "nimblebrain", "version": "0.1.0" }
            });
            assert_eq!(sent[0], json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }));
            assert_eq!(sent[1]["result"]["protocolVersion"], revision.name());
            assert_eq!(sent[2]["method"], "notifications/initialized");
            assert_eq!(client.take_unread(), [json!(null); 0]);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn b7_2_each_form_of_the_block_is_parsed() {
    let (server, found) =
        asking(|host| async move { (host.status(), host.list_available(), host.supports_scheme("files")) });
    for (block, expected) in HostBlock::ALL.into_iter().zip([
        (HostStatus::Available, true, true),
        (HostStatus::Available, true, true),
        (HostStatus::NotAdvertised, false, false),
        (HostStatus::ReadDisabled, true, true),
        (HostStatus::Available, false, true),
        (HostStatus::NotAdvertised, false, false),
        (HostStatus::Available, true, false),
        (HostStatus::ReadDisabled, false, true),
    ]) {
        for mut client in clients(&server, || files().block(block)).await {
            ask(&mut client).await;
            assert_eq!(found.one(), expected, "{block:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn b7_3_reads_work_with_and_without_a_get_stream() {
    let (server, found) = reading();
    for revision in legacy() {
        let mut logs = Vec::new();
        for way in [Way::Http, Way::HttpWithGet] {
            let mut client = way.connect(&server, revision, files()).await;
            ask(&mut client).await;
            assert_eq!(found.one(), Ok("hello".to_owned()));
            logs.push(client.host().log().to_vec());
        }
        assert_eq!(logs[0], logs[1]);
        assert_eq!(logs[0][0].stream(), Stream::Post(3));
    }
}

#[tokio::test(start_paused = true)]
async fn b7_4_unrelated_notifications_around_an_answer_are_ignored() {
    let (server, found) = reading();
    for host in
        [|| files().notifies_before(), || files().notifies_after(), || files().notifies_before().notifies_after()]
    {
        for mut client in clients(&server, host).await {
            ask(&mut client).await;
            assert_eq!(found.one(), Ok("hello".to_owned()));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn b7_4_two_calls_at_once_each_get_their_own_answer() {
    let tool = Tool::builder().name("ask").input_schema(json!({ "type": "object" }));
    let tool = tool.call_with_schema(|cx, args: Value| async move {
        Ok(host(&cx).read_text(args["uri"].as_str().unwrap_or_default()).await?.to_string())
    });
    let server = super::server(tool).build().unwrap();
    for mut client in clients(&server, || files().together(2)).await {
        let first = client.start_tool("ask", json!({ "uri": FILE }));
        let second = client.start_tool("ask", json!({ "uri": OLD_FILE }));
        assert_eq!(soon(client.finish_tool(first)).await.unwrap().text(), Some("hello"));
        assert_eq!(soon(client.finish_tool(second)).await.unwrap().text(), Some("older"));
    }
}

/// A server whose tool reads four files at once and returns their texts in order.
fn reading_together() -> Server {
    let tool = Tool::builder().name("ask").call_without_arguments(move |cx| async move {
        let host = host(&cx);
        let uris = [0, 1, 2, 3].map(uri);
        let [one, two, three, four] = uris.each_ref().map(|uri| host.read_text(uri));
        let (one, two, three, four) = tokio::try_join!(one, two, three, four)?;
        Ok([one, two, three, four].map(|text| text.to_string()).join(" "))
    });
    super::server(tool).build().unwrap()
}

fn uri(at: usize) -> String {
    format!("files://fl_{at:024x}")
}

fn numbered(count: usize) -> FakeHost {
    let host = FakeHost::new().behavior(HostBehavior::NeverAnswers);
    (0..count).fold(host, |host, at| host.file(&format!("fl_{at:024x}"), "text/plain", at.to_string()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn b7_4_answers_find_their_requests_in_any_order(order in Just((0..4).collect::<Vec<usize>>()).prop_shuffle()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        let server = reading_together();
        runtime.block_on(async {
            for (_, mut client) in newest(&server, || numbered(order.len())).await {
                let call = client.start_tool("ask", json!({}));
                client.settle();
                let requests: Vec<_> = client.host().requests().map(|request| request.json().clone()).collect();
                prop_assert_eq!(requests.len(), order.len());
                for at in &order {
                    let answer = client.host_mut().proper_answer(&requests[*at]);
                    client.send(&answer);
                }
                let call = soon(client.finish_tool(call)).await.unwrap();
                prop_assert_eq!(call.text(), Some("0 1 2 3"));
            }
            Ok(())
        })?;
    }
}

#[tokio::test(start_paused = true)]
async fn b7_5_the_checks_are_in_the_order_of_real_hosts() {
    let (server, found) = asking(|host| async move {
        let mut errors = vec![host.read("entities://1").await.unwrap_err()];
        errors.push(host.read("files://fl_none").await.unwrap_err());
        errors.push(host.read(FILE).await.unwrap_err());
        errors.push(host.list(HostFilter::new().scheme("entities")).await.unwrap_err());
        errors.push(host.read("entities://1").await.unwrap_err());
        errors.push(host.read("files://fl_none").await.unwrap_err());
        errors.push(host.list(HostFilter::new().scheme("entities")).await.unwrap_err());
        errors
    });
    let host = || files().schemes(&["files", "entities"]).max_size(4).rate(4, 1);
    let files = || Some(vec!["files".to_owned()]);
    let limited = || HostError::RateLimited { retry_after: Some(Duration::from_secs(1)) };
    for mut client in clients(&server, host).await {
        ask(&mut client).await;
        assert_eq!(
            found.one(),
            [
                HostError::UnsupportedScheme { uri: Some("entities://1".to_owned()), supported: files() },
                HostError::NotFound { uri: Some("files://fl_none".to_owned()) },
                HostError::TooLarge { uri: Some(FILE.to_owned()), size: Some(5), max_size: Some(4) },
                HostError::UnsupportedFilterScheme { scheme: Some("entities".to_owned()), supported: files() },
                limited(),
                limited(),
                limited(),
            ]
        );
    }
}

#[tokio::test(start_paused = true)]
async fn b7_6_the_bucket_of_the_host_runs_on_the_clients_clock() {
    let (server, found) = asking(|host| async move { host.read(FILE).await.err() });
    for (_, mut client) in newest(&server, || files().rate(2, 10)).await {
        let limited =
            |milliseconds| Some(HostError::RateLimited { retry_after: Some(Duration::from_millis(milliseconds)) });
        for (wait, expected) in [
            (0, None),
            (0, None),
            (0, limited(100)),
            (99, limited(1)),
            (1, None),
            (250, None),
            (0, None),
            (0, limited(100)),
        ] {
            client.clock().advance(Duration::from_millis(wait));
            ask(&mut client).await;
            assert_eq!(found.one(), expected);
        }
    }
    // The default of hosts: a thousand requests at once.
    let (server, found) = asking(|host| async move {
        let mut limited = Vec::new();
        for at in 0..1001 {
            limited.extend(host.read(FILE).await.err().map(|error| (at, error)));
        }
        limited
    });
    let mut client = Way::Pipe.connect(&server, Revision::V2025_11_25, files()).await;
    ask(&mut client).await;
    let limited = HostError::RateLimited { retry_after: Some(Duration::from_millis(10)) };
    assert_eq!(found.one(), [(1000, limited)]);
}

/// The result of a read for a host with this behavior, on every revision and transport.
async fn behaving(behavior: HostBehavior) -> Vec<(Way, Revision, Result<String, HostError>)> {
    let (server, found) = reading();
    let mut all = Vec::new();
    for revision in legacy() {
        for way in Way::ALL {
            let mut client = way.connect(&server, revision, files().behavior(behavior)).await;
            let call = client.start_tool("ask", json!({}));
            client.settle();
            let waits = found.take();
            let came = match &*waits {
                [] => {
                    client.clock().advance(Duration::from_secs(30));
                    client.settle();
                    found.one()
                }
                [came] => came.clone(),
                _ => panic!("one call, one outcome: {waits:?}"),
            };
            all.push((way, revision, came));
            if behavior != HostBehavior::DropsStream {
                assert_eq!(soon(client.finish_tool(call)).await.unwrap().text(), Some("asked"));
                still_served(&mut client, &found).await;
            }
        }
    }
    all
}

/// Checks that the connection still works.
async fn still_served(client: &mut Client, found: &Found<Result<String, HostError>>) {
    client.host_mut().behave(HostBehavior::Proper);
    ask(client).await;
    assert_eq!(found.one(), Ok("hello".to_owned()));
}

async fn all_are(behavior: HostBehavior, expected: Result<String, HostError>) {
    for (way, revision, came) in behaving(behavior).await {
        assert_eq!(came, expected, "{behavior:?} {revision} {way:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn b7_7_a_proper_host_can_be_read() {
    all_are(HostBehavior::Proper, Ok("hello".to_owned())).await;
}

#[tokio::test(start_paused = true)]
async fn b7_7_a_read_from_a_silent_host_times_out() {
    all_are(HostBehavior::NeverAnswers, Err(HostError::Timeout(Duration::from_secs(30)))).await;
}

#[tokio::test(start_paused = true)]
async fn b7_7_of_two_answers_the_first_is_used() {
    all_are(HostBehavior::AnswersTwice, Ok("hello".to_owned())).await;
}

#[tokio::test(start_paused = true)]
async fn b7_7_an_answer_with_another_id_is_ignored() {
    all_are(HostBehavior::AnswersUnknownId, Err(HostError::Timeout(Duration::from_secs(30)))).await;
    all_are(HostBehavior::AnswersTextId, Err(HostError::Timeout(Duration::from_secs(30)))).await;
}

#[tokio::test(start_paused = true)]
async fn b7_7_an_invalid_result_is_an_invalid_response() {
    for behavior in
        [HostBehavior::EmptyResult, HostBehavior::WrongContents, HostBehavior::BothPayloads, HostBehavior::BadBase64]
    {
        for (way, revision, came) in behaving(behavior).await {
            assert!(matches!(came, Err(HostError::InvalidResponse(_))), "{behavior:?} {revision} {way:?}: {came:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn b7_7_an_error_without_data_has_its_kind() {
    for (code, expected) in [
        (-32002, HostError::NotFound { uri: None }),
        (-32004, HostError::RateLimited { retry_after: None }),
        (-32005, HostError::TooLarge { uri: None, size: None, max_size: None }),
        (-32601, HostError::NotImplemented),
    ] {
        all_are(HostBehavior::ErrorWithoutData(code), Err(expected)).await;
    }
    all_are(HostBehavior::NotImplemented, Err(HostError::NotImplemented)).await;
}

#[tokio::test(start_paused = true)]
async fn b7_7_a_file_over_the_advertised_size_is_accepted_or_rejected_at_once() {
    let (server, found) = asking(|host| async move { host.read_text(FILE).await.map(|text| text.len()) });
    for way in [Way::Pipe, Way::Http] {
        let mut client = way.connect(&server, Revision::V2025_11_25, files().behavior(HostBehavior::TooLong)).await;
        let call = client.start_tool("ask", json!({}));
        client.settle();
        // The answer is within the server's own limit, so it is the file.
        assert_eq!(found.one(), Ok(10 * 1024 * 1024 + 1), "{way:?}");
        soon(client.finish_tool(call)).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn b7_7_the_pipe_works_after_an_answer_over_the_servers_limit() {
    let found = Found::new();
    let kept = found.clone();
    let limits = grange_core::Limits { message_bytes: 1000, answer_bytes: 2000, ..Default::default() };
    let tool = Tool::builder().name("ask").call_without_arguments(move |cx| {
        let kept = kept.clone();
        async move {
            kept.add(host(&cx).read_text(FILE).await.map(|text| text.to_string()));
            Ok("asked")
        }
    });
    let server = Server::builder("tests", "1.0.0")
        .tool(tool)
        .limits(limits)
        .requests_to_client()
        .revisions(Revision::HANDSHAKE)
        .build()
        .unwrap();
    let host = files().max_size(1500).behavior(HostBehavior::TooLong);
    let mut client = Way::Pipe.connect(&server, Revision::V2025_11_25, host).await;
    ask(&mut client).await;
    assert_eq!(found.one().map(|text| text.len()), Ok(1501));
    let host = files().max_size(2000).behavior(HostBehavior::TooLong);
    let mut client = Way::Pipe.connect(&server, Revision::V2025_11_25, host).await;
    let call = client.start_tool("ask", json!({}));
    client.settle();
    let rejected = client.take_unread();
    assert_eq!(rejected.len(), 1, "{rejected:?}");
    assert_eq!((rejected[0].get("id"), &rejected[0]["error"]["code"]), (None, &json!(-32600)));
    client.clock().advance(Duration::from_secs(30));
    soon(client.finish_tool(call)).await.unwrap();
    assert_eq!(found.one(), Err(HostError::Timeout(Duration::from_secs(30))));
    still_served(&mut client, &found).await;
}

#[tokio::test(start_paused = true)]
async fn b7_7_a_dropped_stream_ends_the_wait() {
    all_are(HostBehavior::DropsStream, Err(HostError::Disconnected)).await;
}

#[tokio::test(start_paused = true)]
async fn b7_7_the_end_of_a_session_ends_its_calls() {
    let (server, hosts, ends) = lending();
    for revision in legacy() {
        for way in Way::ALL {
            let mut client = way.connect(&server, revision, files().behavior(HostBehavior::EndsSession)).await;
            let call = client.start_tool("ask", json!({}));
            let host = hosts.one();
            let mut reading = Box::pin(host.read(FILE));
            assert!(super::poll_once(&mut reading).is_pending());
            assert_eq!(soon(client.finish_tool(call)).await.unwrap_err().message, "Connection closed");
            assert_eq!(ends.one(), "dropped", "{revision} {way:?}");
            assert!(super::poll_once(&mut reading).is_ready(), "{revision} {way:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn b7_8_a_modern_client_gets_the_remedy_to_send_the_text() {
    let tool = Tool::builder().name("summarize").input_schema(json!({ "type": "object" }));
    let tool = tool.call_with_schema(|cx, args: Value| async move {
        let host = host(&cx);
        assert!(!host.available() && !host.list_available());
        match args["text"].as_str() {
            Some(text) => Ok(format!("inline: {text}")),
            None => Err(grange_core::ToolError::failed("Pass the content as `text`.")),
        }
    });
    let server = super::server(tool).build().unwrap();
    for host in [|| files(), || files().block(HostBlock::Absent), || files().without_capabilities()] {
        for way in Way::ALL {
            let mut client = way.connect(&server, Revision::V2026_07_28, host()).await;
            let inline =
                soon(client.call_tool("summarize", json!({ "file_uri": FILE, "text": "hello" }))).await.unwrap();
            assert_eq!(inline.text(), Some("inline: hello"));
            let remedy = soon(client.call_tool("summarize", json!({ "file_uri": FILE }))).await.unwrap();
            assert_eq!((remedy.is_error(), remedy.text()), (true, Some("Pass the content as `text`.")));
            assert_eq!(client.host().log(), []);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn b7_9_the_log_has_all_messages() {
    let tool = Tool::builder().name("ask").call_without_arguments(|cx| async move {
        cx.progress(1.0);
        let host = host(&cx).with_timeout(Duration::from_millis(5));
        Ok(format!("{:?} {:?}", host.read_text(FILE).await, host.list(HostFilter::new()).await.map(|_| ())))
    });
    let mirror = Resource::builder()
        .uri("docs://mirror")
        .name("mirror")
        .read(|cx| async move { Ok(format!("{:?}", host(&cx).read_text(FILE).await.is_ok())) });
    let server = super::server(tool).resource(mirror.build()).build().unwrap();
    for (way, mut client) in newest(&server, || files().behavior(HostBehavior::NeverAnswers)).await {
        let call = client.start_tool("ask", json!({}));
        client.settle();
        client.clock().advance(Duration::from_millis(5));
        client.settle();
        client.host_mut().behave(HostBehavior::Proper);
        let read = client.start("resources/read", json!({ "uri": "docs://mirror" }));
        client.settle();
        let log = client.host().log();
        let methods: Vec<_> = log.iter().map(grange_testkit::HostMessage::method).collect();
        let (read_method, list_method) = ("ai.nimblebrain/resources/read", "ai.nimblebrain/resources/list");
        let cancelled = "notifications/cancelled";
        assert_eq!(methods, ["notifications/progress", read_method, cancelled, list_method, read_method], "{way:?}");
        assert_eq!(log[2].params(), &json!({ "requestId": 1, "reason": "timed out" }));
        assert_eq!((log[1].id(), log[2].id()), (Some(&json!(1)), None));
        let streams: BTreeSet<_> = log[..4].iter().map(|message| format!("{:?}", message.stream())).collect();
        assert_eq!(streams, [format!("{:?}", call.stream())].into());
        assert_eq!(log[4].stream(), read.stream());
        assert_eq!(log[4].json()["params"], json!({ "uri": FILE }));
    }
}
