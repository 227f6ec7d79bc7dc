//! B2.4 to B2.7: the stream of a request to the host, the routing of its answer, and how the wait ends without one.

use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use grange_core::{HostError, HostFilter, Resource, Revision, Server, Tool, host};
use grange_testkit::{Client, FakeHost, HostBehavior, Pending, Stream};
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::{FILE, Found, ID, Way, ask, asking, clients, lending, newest, poll_once, request_count, soon};

fn silent() -> FakeHost {
    FakeHost::new().file(ID, "text/plain", "hello").behavior(HostBehavior::NeverAnswers)
}

/// Calls `ask` and delivers its request to the host.
fn start(client: &mut Client) -> Pending {
    let call = client.start_tool("ask", json!({}));
    client.settle();
    call
}

/// An answer to a read.
fn answer(id: u64, text: &str) -> String {
    let contents = json!([{ "uri": FILE, "text": text }]);
    json!({ "jsonrpc": "2.0", "id": id, "result": { "contents": contents } }).to_string()
}

/// The notifications that the host received.
fn notified(client: &Client) -> Vec<Value> {
    client.host().log().iter().filter(|message| message.id().is_none()).map(|message| message.json().clone()).collect()
}

#[tokio::test(start_paused = true)]
async fn b2_4_a_request_to_the_host_is_on_the_stream_of_its_call() {
    let (server, found) = asking(|host| async move { host.read_text(FILE).await.unwrap().to_string() });
    for (way, mut client) in newest(&server, silent).await {
        let (first, second) = (start(&mut client), start(&mut client));
        let streams: Vec<_> = client.host().requests().map(grange_testkit::HostMessage::stream).collect();
        assert_eq!(streams, [first.stream(), second.stream()], "{way:?}");
        if way == Way::Pipe {
            assert_eq!(streams, [Stream::Pipe; 2]);
        } else {
            // The first two POSTs are the handshake.
            assert_eq!(streams, [Stream::Post(3), Stream::Post(4)], "{way:?}");
        }
        // The second request is answered first, and each call gets its own answer.
        for (at, text) in [(1, "for the second"), (0, "for the first")] {
            let id = client.host().log()[at].id().and_then(Value::as_u64).unwrap();
            assert_eq!(soon(client.raw(answer(id, text))).await.len(), 1, "the call is answered");
        }
        assert_eq!(found.take(), ["for the second", "for the first"]);
    }
}

#[tokio::test(start_paused = true)]
async fn b2_4_a_request_of_a_reader_is_on_the_stream_of_its_read() {
    let mirror = Resource::builder().uri("docs://mirror").name("mirror").read(|cx| async move {
        let host = host(&cx);
        Ok(if host.available() { host.read_text(FILE).await?.to_string() } else { "not there".to_owned() })
    });
    let server = Server::builder("tests", "1.0.0")
        .resource(mirror.build())
        .requests_to_client()
        .revisions(Revision::ALL)
        .build()
        .unwrap();
    for mut client in clients(&server, || FakeHost::new().file(ID, "text/plain", "hello")).await {
        assert_eq!(soon(client.read("docs://mirror")).await.unwrap().text(), Some("hello"));
        let read = client.start("resources/read", json!({ "uri": "docs://mirror" }));
        let stream = read.stream();
        soon(client.finish(read)).await.unwrap();
        assert_eq!(client.host().log()[1].stream(), stream);
    }
    let mut modern = Way::Http.connect(&server, Revision::V2026_07_28, FakeHost::new()).await;
    assert_eq!(modern.read("docs://mirror").await.unwrap().text(), Some("not there"));
}

#[tokio::test(start_paused = true)]
async fn b2_4_progress_and_requests_keep_their_order_on_one_stream() {
    let tool = Tool::builder().name("ask").call_without_arguments(|cx| async move {
        cx.progress((1.0, 3.0));
        let text = host(&cx).read_text(FILE).await?;
        cx.progress((2.0, 3.0));
        let files = host(&cx).list(HostFilter::new()).await?.resources.len();
        cx.progress((3.0, 3.0));
        Ok(format!("{text} {files}"))
    });
    let server = super::server(tool).build().unwrap();
    for mut client in clients(&server, || FakeHost::new().file(ID, "text/plain", "hello")).await {
        let call = soon(client.call_tool("ask", json!({}))).await.unwrap();
        assert_eq!(call.text(), Some("hello 1"));
        let progress: Vec<_> = call.progress().iter().map(|each| each["progress"].as_f64()).collect();
        assert_eq!(progress, [Some(1.0), Some(2.0), Some(3.0)]);
        let messages: Vec<_> = client.host().log().iter().map(grange_testkit::HostMessage::method).collect();
        let (read, list) = ("ai.nimblebrain/resources/read", "ai.nimblebrain/resources/list");
        let progress = "notifications/progress";
        assert_eq!(messages, [progress, read, progress, list, progress]);
        let stream = client.host().log()[0].stream();
        assert!(client.host().log().iter().all(|message| message.stream() == stream));
    }
}

#[tokio::test(start_paused = true)]
async fn b2_4_a_request_of_a_batch_is_on_the_stream_of_the_batch() {
    let (server, found) = asking(|host| async move { host.read_text(FILE).await.unwrap().to_string() });
    for revision in [Revision::V2024_10_07, Revision::V2024_11_05, Revision::V2025_03_26] {
        for way in Way::ALL {
            let mut client = way.connect(&server, revision, silent().behavior(HostBehavior::Proper).together(2)).await;
            let call =
                |id: i64| json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": "ask" } });
            let messages = soon(client.raw(json!([call(70), call(71)]).to_string())).await;
            assert_eq!(found.take(), ["hello"; 2]);
            let answers = if way == Way::Pipe { messages } else { messages[0].as_array().unwrap().clone() };
            let ids: Vec<_> = answers.iter().filter_map(|answer| answer["id"].as_i64()).collect();
            assert_eq!((ids.len(), ids.contains(&70), ids.contains(&71)), (2, true, true), "{answers:?}");
            let expected = if way == Way::Pipe { Stream::Pipe } else { Stream::Post(3) };
            let streams: Vec<_> = client.host().requests().map(grange_testkit::HostMessage::stream).collect();
            assert_eq!(streams, [expected; 2]);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn b2_5_responses_get_no_answer_and_unmatched_ones_are_ignored() {
    let (server, found) = asking(|host| async move { host.read_text(FILE).await.unwrap().to_string() });
    for mut client in clients(&server, silent).await {
        let call = start(&mut client);
        let result = json!({ "contents": [{ "uri": FILE, "text": "a stray" }] });
        let strays = [json!(0), json!(2), json!(-1), json!(u64::MAX), json!("1"), json!(""), json!("x")];
        for id in strays {
            let stray = json!({ "jsonrpc": "2.0", "id": id, "result": result });
            assert_eq!(soon(client.raw(stray.to_string())).await, [json!(null); 0], "{stray}");
            let stray = json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -1, "message": "a stray" } });
            assert_eq!(soon(client.raw(stray.to_string())).await, [json!(null); 0], "{stray}");
        }
        // The response of a host that could not read a request has no id.
        for unread in [json!({}), json!({ "id": null })] {
            let mut unread = unread;
            unread["jsonrpc"] = "2.0".into();
            unread["error"] = json!({ "code": -32700, "message": "Parse error" });
            assert_eq!(soon(client.raw(unread.to_string())).await, [json!(null); 0], "{unread}");
        }
        assert_eq!(found.take(), [""; 0]);
        let request = client.host().log()[0].json().clone();
        let answer = client.host_mut().proper_answer(&request);
        let messages = soon(client.raw(answer.to_string())).await;
        assert_eq!((messages.len(), &messages[0]["id"]), (1, &json!(call.id())));
        assert_eq!(found.one(), "hello");
        // A repeated or late answer is ignored.
        assert_eq!(soon(client.raw(answer.to_string())).await, [json!(null); 0]);
    }
}

#[tokio::test(start_paused = true)]
async fn b2_5_an_answer_is_accepted_only_in_its_own_session() {
    let (server, found) = asking(|host| async move { host.read_text(FILE).await.unwrap().to_string() });
    for way in Way::ALL {
        let mut one = way.connect(&server, Revision::V2025_11_25, silent()).await;
        let mut other = way.connect(&server, Revision::V2025_11_25, silent()).await;
        let _call = start(&mut one);
        assert_eq!(other.raw(answer(1, "foreign")).await, [json!(null); 0]);
        one.settle();
        assert_eq!(found.take(), [""; 0], "{way:?}");
        assert_eq!(one.raw(answer(1, "own")).await.len(), 1);
        assert_eq!(found.one(), "own");
    }
}

#[tokio::test(start_paused = true)]
async fn b2_6_a_request_to_a_silent_host_times_out() {
    let (server, found) = asking(|host| async move {
        let error = host.read(FILE).await.unwrap_err();
        (error, host.with_timeout(Duration::from_millis(250)).list(HostFilter::new()).await.unwrap_err())
    });
    for mut client in clients(&server, silent).await {
        let call = start(&mut client);
        for (wait, requests) in [(29_999, 1), (1, 2), (249, 2)] {
            client.clock().advance(Duration::from_millis(wait));
            client.settle();
            assert_eq!((request_count(&client), found.take()), (requests, vec![]));
        }
        client.clock().advance(Duration::from_millis(1));
        assert_eq!(soon(client.finish_tool(call)).await.unwrap().text(), Some("asked"));
        let timeout = |milliseconds| HostError::Timeout(Duration::from_millis(milliseconds));
        assert_eq!(found.one(), (timeout(30_000), timeout(250)));
    }
}

#[tokio::test(start_paused = true)]
async fn b2_6_the_deadline_is_before_that_of_the_call() {
    assert_eq!(grange_core::Limits::default().request_time, Duration::from_secs(60));
    let (server, found) = asking(|host| async move { host.read(FILE).await.unwrap_err() });
    for (_, mut client) in newest(&server, silent).await {
        let call = start(&mut client);
        client.clock().advance(Duration::from_millis(59_999));
        assert!(!soon(client.finish_tool(call)).await.unwrap().is_error());
        assert_eq!(found.one(), HostError::Timeout(Duration::from_secs(30)));
    }
}

#[tokio::test(start_paused = true)]
async fn b2_6_the_wait_ends_when_the_call_is_cancelled() {
    let (server, hosts, ends) = lending();
    for mut client in clients(&server, silent).await {
        let call = start(&mut client);
        let host = hosts.one();
        let mut reading = Box::pin(host.read(FILE));
        assert_eq!(poll_once(&mut reading), Poll::Pending);
        client.settle();
        assert_eq!((request_count(&client), ends.take()), (1, vec![]));
        client.cancel(call);
        client.settle();
        assert_eq!(ends.one(), "dropped");
        assert_eq!(poll_once(&mut reading), Poll::Ready(Err(HostError::Cancelled)));
        // A later request fails at once.
        let mut late = Box::pin(host.list(HostFilter::new()));
        assert_eq!(poll_once(&mut late), Poll::Ready(Err(HostError::Cancelled)));
        client.settle();
        assert_eq!(request_count(&client), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn b2_6_the_wait_ends_when_the_connection_is_lost() {
    let (server, found) = asking(|host| async move { host.read(FILE).await.unwrap_err() });
    for mut client in clients(&server, || silent().behavior(HostBehavior::DropsStream)).await {
        let call = start(&mut client);
        assert_eq!(found.one(), HostError::Disconnected);
        let stream = call.stream();
        let answered = soon(client.finish_tool(call)).await;
        match stream {
            // On a pipe, the direction to the client is still open.
            Stream::Pipe => assert_eq!(answered.unwrap().text(), Some("asked")),
            _ => assert_eq!(answered.unwrap_err().message, "Connection closed"),
        }
        assert_eq!(request_count(&client), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn b2_6_a_lost_stream_ends_no_other_calls() {
    let (server, found) = asking(|host| async move { host.read_text(FILE).await.map(|text| text.to_string()) });
    for way in [Way::Http, Way::HttpWithGet] {
        let mut client = way.connect(&server, Revision::V2025_11_25, silent()).await;
        let first = start(&mut client);
        client.host_mut().behave(HostBehavior::DropsStream);
        let _second = start(&mut client);
        assert_eq!(found.one(), Err(HostError::Disconnected));
        let request = client.host().log()[0].json().clone();
        let answer = client.host_mut().proper_answer(&request);
        soon(client.raw(answer.to_string())).await;
        assert_eq!(found.one(), Ok("hello".to_owned()));
        assert_eq!(first.stream(), Stream::Post(3));
        client.host_mut().behave(HostBehavior::Proper);
        ask(&mut client).await;
        assert_eq!(found.one(), Ok("hello".to_owned()));
    }
}

#[tokio::test(start_paused = true)]
async fn b2_6_the_wait_ends_when_the_session_is_deleted() {
    let (server, hosts, ends) = lending();
    for (way, mut client) in newest(&server, || silent().behavior(HostBehavior::EndsSession)).await {
        let call = start(&mut client);
        let host = hosts.one();
        let mut reading = Box::pin(host.read(FILE));
        assert_eq!(poll_once(&mut reading), Poll::Pending);
        client.settle();
        assert_eq!(ends.one(), "dropped", "{way:?}");
        let ended = poll_once(&mut reading);
        let expected = [Poll::Ready(Err(HostError::Cancelled)), Poll::Ready(Err(HostError::Disconnected))];
        assert!(expected.contains(&ended), "{way:?}: {ended:?}");
        assert_eq!(soon(client.finish_tool(call)).await.unwrap_err().message, "Connection closed", "{way:?}");
        let next = soon(client.call_tool("ask", json!({}))).await.unwrap_err();
        match way {
            Way::Pipe => assert_eq!(next.message, "Connection closed"),
            Way::Http | Way::HttpWithGet => assert_eq!((next.code, &*next.message), (-32600, "Session not found")),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn b2_6_after_the_end_of_its_call_a_request_fails_at_once() {
    let (server, hosts) = asking(|host| async move { host });
    for mut client in clients(&server, silent).await {
        ask(&mut client).await;
        let host = hosts.one();
        let mut reading = Box::pin(host.read(FILE));
        let Poll::Ready(Err(_)) = poll_once(&mut reading) else { panic!("the call has ended, so it must not wait") };
        client.settle();
        assert_eq!(client.host().log(), []);
    }
}

#[tokio::test(start_paused = true)]
async fn b2_6_an_unsent_request_is_dropped_with_its_call() {
    let (server, hosts, _) = lending();
    for (way, mut client) in newest(&server, silent).await {
        let call = start(&mut client);
        let host = hosts.one();
        let mut reading = Box::pin(host.read(FILE));
        assert_eq!(poll_once(&mut reading), Poll::Pending);
        // Without a poll in between, the request was not sent.
        client.cancel(call);
        client.settle();
        drop(reading);
        client.settle();
        // If it was sent, it is cancelled on a stream that is still open.
        let withdrawn = if way == Way::Http { 0 } else { request_count(&client) };
        assert_eq!(notified(&client).len(), withdrawn, "{way:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn b2_6_the_wait_ends_with_its_call() {
    let (hosts, ending) = (Found::new(), Arc::new(Notify::new()));
    let (lent, ends) = (hosts.clone(), ending.clone());
    let tool = Tool::builder().name("ask").call_without_arguments(move |cx| {
        lent.add(host(&cx));
        let ends = ends.clone();
        async move {
            ends.notified().await;
            Ok("asked")
        }
    });
    for mut client in clients(&super::server(tool).build().unwrap(), silent).await {
        let call = start(&mut client);
        let host = hosts.one();
        let mut reading = Box::pin(host.read(FILE));
        assert_eq!(poll_once(&mut reading), Poll::Pending);
        client.settle();
        ending.notify_one();
        soon(client.finish_tool(call)).await.unwrap();
        // The clock did not advance, so this is not a time-out.
        assert_eq!(poll_once(&mut reading), Poll::Ready(Err(HostError::Cancelled)));
    }
}

#[tokio::test(start_paused = true)]
async fn b2_7_the_host_gets_a_cancellation_for_an_abandoned_request() {
    let (server, found) = asking(|host| async move { host.read(FILE).await.unwrap_err() });
    let cancelled = |id: &Value, reason: &str| json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id, "reason": reason } });
    for mut client in clients(&server, silent).await {
        let call = start(&mut client);
        client.clock().advance(Duration::from_secs(30));
        soon(client.finish_tool(call)).await.unwrap();
        found.one();
        assert_eq!(notified(&client), [cancelled(&json!(1), "timed out")]);
        // The cancellation is on the stream of the request.
        let streams: Vec<_> = client.host().log().iter().map(grange_testkit::HostMessage::stream).collect();
        assert_eq!(streams[0], streams[1]);

        let call = start(&mut client);
        client.cancel(call);
        client.settle();
        assert_eq!(found.take(), []);
        assert_eq!(notified(&client)[1..], [cancelled(&json!(2), "no longer needed")]);

        client.host_mut().behave(HostBehavior::NotImplemented);
        ask(&mut client).await;
        assert_eq!((found.one(), notified(&client).len()), (HostError::NotImplemented, 2));
    }
}

#[tokio::test(start_paused = true)]
async fn b2_7_a_read_that_the_tool_drops_is_cancelled_and_its_late_answer_ignored() {
    let (server, found) = asking(|host| async move {
        let mut reading = Box::pin(host.read(FILE));
        let first = std::future::poll_fn(|cx| Poll::Ready(reading.as_mut().poll(cx).is_pending())).await;
        // A request that was not sent is removed from the outbox, so the host does not see it.
        drop(reading);
        let short = host.clone().with_timeout(Duration::from_millis(1)).read(FILE).await.unwrap_err();
        (first, short, host.read_text(FILE).await.unwrap().to_string())
    });
    for (way, mut client) in newest(&server, silent).await {
        let call = start(&mut client);
        client.clock().advance(Duration::from_millis(1));
        client.settle();
        let log = client.host().log();
        let ids: Vec<_> = log.iter().filter_map(|message| message.id()?.as_u64()).collect();
        assert_eq!(ids, [2, 3], "{way:?}");
        soon(client.raw(answer(2, "late"))).await;
        assert_eq!(found.take(), [], "{way:?}");
        client.send(&serde_json::from_str(&answer(3, "in time")).unwrap());
        soon(client.finish_tool(call)).await.unwrap();
        let timeout = HostError::Timeout(Duration::from_millis(1));
        assert_eq!(found.one(), (true, timeout, "in time".to_owned()), "{way:?}");
        assert_eq!(client.take_unread(), notified(&client), "{way:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn b2_7_a_cancellation_without_its_own_stream_is_sent_on_the_get_stream() {
    let (server, lent, _) = lending();
    for (way, mut client) in newest(&server, silent).await {
        let call = start(&mut client);
        let host = lent.one();
        let mut reading = Box::pin(host.read(FILE));
        assert_eq!(poll_once(&mut reading), Poll::Pending);
        client.settle();
        // The call ends before the request times out.
        client.clock().advance(Duration::from_secs(60));
        assert_eq!(soon(client.finish_tool(call)).await.unwrap_err().code, -32603);
        drop(reading);
        client.settle();
        let cancelled: Vec<_> = client.host().log().iter().filter(|message| message.id().is_none()).collect();
        match way {
            // No stream is open: the cancellation waits in the session's outbox.
            Way::Http => assert!(cancelled.is_empty(), "{cancelled:?}"),
            Way::Pipe | Way::HttpWithGet => {
                assert_eq!((cancelled.len(), cancelled[0].method()), (1, "notifications/cancelled"), "{way:?}");
                assert_eq!(cancelled[0].params()["requestId"], 1);
                let stream = if way == Way::Pipe { Stream::Pipe } else { Stream::Get };
                assert_eq!(cancelled[0].stream(), stream);
            }
        }
    }
}
