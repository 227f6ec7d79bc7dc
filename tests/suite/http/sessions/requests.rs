//! Requests in a session: their answers, lost connections, and cancellations.

use std::future::pending;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use grange_core::{Limits, Revision, Tool};
use grange_http::HttpService;
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::time::timeout;

use super::super::drive::{NOTE, Post, text};
use super::super::lifetime::{Runs, waiting};
use super::super::sockets::soon;
use super::client::{Client, Event, LEGACY, PRIMED, UNPRIMED, asking, builder, limited, outcome_text, service, tool};

fn read(client: &Client, id: impl Into<Value>) -> Post {
    client.request(id, "resources/read", &json!({ "uri": "docs://run" }))
}

fn with_runs(runs: &Arc<Runs>, limits: Limits) -> HttpService {
    let builder = builder([], limits).resource(waiting(runs));
    HttpService::new(builder.on_error(|failure, _| panic!("unexpected failure: {failure}")).build().unwrap())
}

/// Reports progress three times, then returns.
fn counting() -> Tool {
    tool("count", |cx| async move {
        for done in 1..=3 {
            cx.progress((f64::from(done), 3.0));
            tokio::task::yield_now().await;
        }
        Ok("counted".to_owned())
    })
}

#[tokio::test]
async fn w5_5_an_answer_is_json_unless_a_message_precedes_it() {
    let service = service([counting(), tool("plain", |_| async { Ok("plain".to_owned()) })]);
    for revision in LEGACY {
        let client = Client::open_with(&service, revision, None).await;
        let fixed = client.request(1, "resources/read", &json!({ "uri": NOTE })).send(&service).await;
        assert_eq!((fixed.status, fixed.text()), (200, "note".to_owned()));
        let called = client.call("a", "plain").send(&service).await;
        assert_eq!((called.status, &called.json()["id"]), (200, &json!("a")));
        // Without a progress token, nothing is sent before the answer.
        let quiet = client.request(1, "tools/call", &json!({ "name": "count" })).send(&service).await;
        assert_eq!(quiet.json()["result"]["content"][0]["text"], "counted");
        let unknown = client.request(1, "resources/read", &json!({ "uri": "docs://none" })).send(&service).await;
        assert_eq!((unknown.status, unknown.code()), (200, -32002));
        let no_method = client.request(1, "no/such", &json!({})).send(&service).await;
        assert_eq!((no_method.status, no_method.code()), (200, -32601));
        let mut events = client.events(client.call(7, "count")).await;
        let events = events.rest().await;
        let progress: Vec<_> = events.iter().filter_map(Event::progress).collect();
        assert_eq!((progress, events.last().unwrap().text()), (vec![1.0, 2.0, 3.0], "counted"));
    }
}

#[tokio::test]
async fn w5_6_streams_in_a_session_have_ids_and_the_newest_revision_has_an_id_only_first_event() {
    let service = service([counting()]);
    for revision in LEGACY {
        let client = Client::open_with(&service, revision, None).await;
        let mut ids = Vec::new();
        for round in 0..2 {
            let mut events = client.events(client.call(round, "count")).await.rest().await;
            if revision == PRIMED {
                let first = events.remove(0);
                assert_eq!((first.retry.as_deref(), &first.message), (Some("1000"), &None));
                ids.push(first.id.unwrap());
            }
            assert!(events.iter().all(|event| event.retry.is_none() && event.message.is_some()), "{events:?}");
            ids.extend(events.into_iter().map(|event| event.id.unwrap()));
        }
        // Ids are unique in the session.
        let count = ids.len();
        ids.sort();
        ids.dedup();
        assert_eq!((count, ids.len()), if revision == PRIMED { (10, 10) } else { (8, 8) });
    }
}

#[tokio::test(start_paused = true)]
async fn w5_5_a_client_that_accepts_only_streams_gets_its_first_bytes_at_once() {
    let runs = Arc::new(Runs::default());
    let service = with_runs(&runs, Limits::default());
    let client = Client::open_with(&service, UNPRIMED, None).await;
    let before = tokio::time::Instant::now();
    let mut events = client.events(read(&client, 1).header("accept", "text/event-stream")).await;
    for expected in [0, 15, 30] {
        assert_eq!(events.next_any().await, Some(Event::default()));
        assert_eq!(before.elapsed(), Duration::from_secs(expected));
    }
    runs.release.notify_one();
    let answer = events.event().await;
    assert_eq!((text(answer.message.as_ref().unwrap()), events.next().await), ("released".to_owned(), None));
}

#[tokio::test(start_paused = true)]
async fn w3_16_a_client_that_accepts_no_stream_gets_only_the_answer() {
    let service = service([counting(), asking()]);
    let client = Client::open(&service).await;
    let answer = client.call(1, "count").header("accept", "application/json").send(&service).await;
    assert_eq!((answer.status, &answer.json()["result"]["content"][0]["text"]), (200, &json!("counted")));
    let answer = client.call(1, "ask").header("accept", "application/json").send(&service).await;
    assert_eq!(answer.json()["result"]["content"][0]["text"], "Unavailable(Transport)");
}

#[tokio::test(start_paused = true)]
async fn w5_6_a_lost_connection_cancels_no_request_in_a_session() {
    let runs = Arc::new(Runs::default());
    let service = with_runs(&runs, Limits::default());
    let client = Client::open(&service).await;
    for accept in ["application/json", "application/json, text/event-stream"] {
        let mut request = Box::pin(read(&client, 1).header("accept", accept).send(&service));
        assert!(timeout(Duration::ZERO, &mut request).await.is_err());
        runs.started.notified().await;
        drop(request);
        tokio::task::yield_now().await;
        runs.release.notify_one();
        runs.stopped.notified().await;
    }
    let stream = client.events(read(&client, 1).header("accept", "text/event-stream")).await;
    runs.started.notified().await;
    drop(stream);
    runs.release.notify_one();
    runs.stopped.notified().await;
    assert_eq!((runs.cancelled(), runs.finished()), (0, 3));
}

#[tokio::test(start_paused = true)]
async fn w5_6_a_request_without_a_client_keeps_its_permit_and_its_deadline() {
    let runs = Arc::new(Runs::default());
    let limits = Limits { requests_in_flight: 1, request_time: Duration::from_secs(5), ..Limits::default() };
    let service = HttpService::new(builder([], limits).resource(waiting(&runs)).on_error(|_, _| {}).build().unwrap());
    let client = Client::open(&service).await;
    let mut request = Box::pin(read(&client, 1).send(&service));
    assert!(timeout(Duration::ZERO, &mut request).await.is_err());
    runs.started.notified().await;
    drop(request);
    assert_eq!(client.ping().await.status, 503);
    let before = tokio::time::Instant::now();
    runs.stopped.notified().await;
    assert_eq!((runs.cancelled(), before.elapsed()), (1, Duration::from_secs(5)));
    tokio::task::yield_now().await;
    assert_eq!(client.ping().await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn w3_11_a_cancelled_request_without_messages_ends_as_an_empty_stream() {
    let runs = Arc::new(Runs::default());
    let service = with_runs(&runs, Limits::default());
    for (revision, id) in LEGACY.into_iter().zip([json!(1), json!("1"), json!(""), json!(-7), json!("x")]) {
        let client = Client::open_with(&service, revision, None).await;
        for accept in ["application/json", "application/json, text/event-stream"] {
            let mut request = pin!(read(&client, id.clone()).header("accept", accept).send(&service));
            assert!(timeout(Duration::ZERO, &mut request).await.is_err());
            runs.started.notified().await;
            let before = runs.cancelled();
            client.cancel(id.clone()).await;
            let answer = request.await;
            assert!(answer.is_stream() && answer.status == 200 && answer.body.is_empty(), "{answer:?}");
            runs.stopped.notified().await;
            assert_eq!((runs.cancelled(), runs.finished()), (before + 1, 0));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn w3_11_a_cancelled_request_sends_nothing_more_on_its_stream() {
    let stopped = Arc::new(Notify::new());
    let tell = stopped.clone();
    let talks = tool("talk", move |cx| {
        let tell = tell.clone();
        async move {
            let token = cx.cancellation_token();
            cx.progress(1.0);
            tokio::spawn(async move {
                token.cancelled().await;
                tell.notify_one();
            });
            pending().await
        }
    });
    let service = service([talks]);
    let client = Client::open(&service).await;
    let mut events = client.events(client.call(1, "talk")).await;
    while events.event().await.progress().is_none() {}
    client.cancel(1).await;
    assert_eq!(events.rest().await, []);
    stopped.notified().await;
}

#[tokio::test(start_paused = true)]
async fn w3_11_a_cancellation_applies_to_its_own_session() {
    let runs = Arc::new(Runs::default());
    let service = with_runs(&runs, Limits::default());
    let (client, other) = (Client::open(&service).await, Client::open(&service).await);
    let mut request = pin!(read(&client, 1).send(&service));
    assert!(timeout(Duration::ZERO, &mut request).await.is_err());
    runs.started.notified().await;
    other.cancel(1).await;
    for id in [json!("1"), json!(2), json!(null), json!({}), json!([1]), json!(1.5), json!(true)] {
        client.cancel(id).await;
    }
    assert_eq!(client.notify("notifications/cancelled", &json!({})).await.status, 202);
    assert_eq!(client.notify("notifications/canceled", &json!({ "requestId": 1 })).await.status, 202);
    assert!(timeout(Duration::from_secs(1), &mut request).await.is_err());
    assert_eq!(runs.cancelled(), 0);
    // The method name is decoded before the comparison.
    let escaped = r#"{"jsonrpc":"2.0","method":"notifications\/cancelled","params":{"requestId":1}}"#;
    assert_eq!(client.post(&json!(null)).body(escaped).send(&service).await.status, 202);
    assert!(request.await.body.is_empty());
    // The request has ended, so its id is unknown.
    client.cancel(1).await;
}

#[tokio::test(start_paused = true)]
async fn w2_9_a_cancellation_of_an_ambiguous_id_is_ignored() {
    let runs = Arc::new(Runs::default());
    let service = with_runs(&runs, Limits::default());
    let client = Client::open(&service).await;
    let (mut one, mut two) = (pin!(read(&client, 1).send(&service)), pin!(read(&client, 1).send(&service)));
    assert!(timeout(Duration::ZERO, &mut one).await.is_err());
    assert!(timeout(Duration::ZERO, &mut two).await.is_err());
    client.cancel(1).await;
    runs.release.notify_one();
    assert!(timeout(Duration::from_secs(1), &mut one).await.is_ok_and(|answer| answer.text() == "released"));
    runs.release.notify_one();
    assert_eq!(two.await.text(), "released");
}

#[tokio::test]
async fn w5_7_notifications_and_responses_are_accepted_without_a_body() {
    let service = service([]);
    for revision in LEGACY {
        let client = Client::open_with(&service, revision, None).await;
        for message in [
            json!({ "jsonrpc": "2.0", "method": "notifications/unknown" }),
            json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": { "progressToken": 1, "progress": 1 } }),
            json!({ "jsonrpc": "2.0", "id": 7, "result": {} }),
            json!({ "jsonrpc": "2.0", "id": "7", "error": { "code": 1, "message": "no" } }),
            json!({ "jsonrpc": "2.0", "error": { "code": 1, "message": "no" } }),
        ] {
            let answer = client.post(&message).send(&service).await;
            assert_eq!((answer.status, &answer.body[..], answer.headers.len()), (202, &b""[..], 0), "{message}");
        }
        let rejected = client.post(&json!({ "jsonrpc": "2.0" })).send(&service).await;
        assert_eq!((rejected.status, rejected.code()), (400, -32600));
    }
}

#[tokio::test(start_paused = true)]
async fn w8_1_a_batch_in_a_session_is_answered_in_one_array() {
    let runs = Arc::new(Runs::default());
    let service = with_runs(&runs, Limits::default());
    let client = Client::open_with(&service, Revision::V2025_03_26, None).await;
    let request = |id: i64, uri: &str| json!({ "jsonrpc": "2.0", "id": id, "method": "resources/read", "params": { "uri": uri } });
    let batch = json!([request(1, "docs://run"), request(2, NOTE), request(3, "docs://run")]);
    let mut answer = pin!(client.post(&batch).send(&service));
    // Waits until both readers run.
    assert!(timeout(Duration::from_secs(1), &mut answer).await.is_err());
    // One of them is cancelled, also from inside a batch.
    let cancel = json!([{ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 3 } }]);
    assert_eq!(client.post(&cancel).send(&service).await.status, 202);
    assert!(timeout(Duration::from_secs(1), &mut answer).await.is_err());
    assert_eq!(runs.cancelled(), 1);
    runs.release.notify_one();
    let answers = answer.await.json();
    let ids: Vec<_> = answers.as_array().unwrap().iter().map(|answer| answer["id"].as_i64().unwrap()).collect();
    assert_eq!((ids, text(&answers[0])), (vec![1, 2], "released".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn w5_14_a_request_has_its_time_limit_even_if_its_stream_is_not_read() {
    let steps = Arc::new(AtomicUsize::new(0));
    let counted = steps.clone();
    let endless = tool("endless", move |cx| {
        let counted = counted.clone();
        async move {
            loop {
                let step = counted.fetch_add(1, Ordering::SeqCst);
                cx.progress(f64::from(u32::try_from(step).unwrap()));
                cx.sleep(Duration::from_millis(1)).await;
            }
        }
    });
    let limits = Limits { request_time: Duration::from_secs(5), requests_in_flight: 2, ..Limits::default() };
    let service = HttpService::new(builder([endless], limits).on_error(|_, _| {}).build().unwrap());
    let client = Client::open(&service).await;
    let mut events = client.events(client.call(1, "endless")).await;
    assert!(events.event().await.id.is_some());
    tokio::time::sleep(Duration::from_secs(10)).await;
    // Back-pressure stopped it long before its deadline, and after the deadline it does not run.
    let held_up = steps.load(Ordering::SeqCst);
    assert!((100..2000).contains(&held_up), "{held_up}");
    let last = events.rest().await.pop().unwrap().message.unwrap();
    assert_eq!((last["error"]["code"].as_i64(), steps.load(Ordering::SeqCst)), (Some(-32603), held_up));
}

#[tokio::test(start_paused = true)]
async fn w3_17_requests_to_the_client_wait_for_the_initialized_notification() {
    let service = service([
        asking(),
        tool("back", |cx| async move {
            Ok(outcome_text(cx.back_channel().map(|()| json!(1)).map_err(grange_core::ClientRequestError::Unavailable)))
        }),
    ]);
    let client = Client::try_open(&service, PRIMED, None).await.unwrap();
    // The client's own requests are answered before.
    assert_eq!(client.call(1, "back").send(&service).await.json()["result"]["content"][0]["text"], "1");
    let mut events = pin!(client.events(client.call(2, "ask")));
    assert!(timeout(Duration::from_secs(1), &mut events).await.is_err());
    assert_eq!(client.notify("notifications/initialized", &json!({})).await.status, 202);
    let mut events = events.await;
    while events.event().await.method() != "x/y" {}
    client.answer(1, &json!("here")).await;
    assert_eq!(events.rest().await.pop().unwrap().text(), "\"here\"");
}

/// Several threads use the same sessions: call, answer, lose and resume streams, cancel, end.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_concurrent_clients_get_their_own_answers() {
    // Capacity for two sessions per client: an evicted one is older than both.
    let limits = Limits { sessions: 64, session_bytes: 20_000, requests_in_flight: 10_000, ..Limits::default() };
    let service = limited([asking(), counting()], limits);
    let clients: Vec<_> = (0..24_usize).map(|number| tokio::spawn(busy(service.clone(), number))).collect();
    for client in clients {
        soon(client).await.unwrap();
    }
    assert_eq!(Client::open(&service).await.ping().await.status, 200);
}

async fn busy(service: HttpService, number: usize) {
    for round in 0..8_i64 {
        let client = Client::open_with(&service, LEGACY[number % LEGACY.len()], None).await;
        let listening = client.events(client.get()).await;
        let mut events = client.events(client.call(round, "ask")).await;
        let question = loop {
            let event = events.event().await;
            if event.method() == "x/y" {
                break event;
            }
        };
        let id = question.message.as_ref().unwrap()["id"].clone();
        if number.is_multiple_of(2) {
            events = client.resume(question.id()).await;
        }
        match number % 3 {
            0 => client.cancel(round).await,
            1 => assert_eq!(client.answer(id, &json!(number)).await.status, 202),
            _ => assert_eq!(client.delete().send(&service).await.status, 204),
        }
        let rest = events.rest().await;
        match number % 3 {
            1 => assert_eq!(rest.last().unwrap().text(), number.to_string()),
            _ => assert!(rest.iter().all(|event| event.method() == "notifications/cancelled"), "{rest:?}"),
        }
        if number % 3 < 2 {
            let counted = client.events(client.call(round, "count")).await.rest().await;
            assert_eq!(counted.last().unwrap().text(), "counted");
        }
        drop(listening);
    }
}
