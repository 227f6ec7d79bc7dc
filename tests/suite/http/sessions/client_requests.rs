//! Requests to the client: they are sent on the stream of their own request, and the answers arrive as POSTs.

use std::pin::pin;
use std::time::Duration;

use grange_core::{Limits, Tool};
use serde_json::{Value, json};
use tokio::time::{Instant, timeout};

use super::super::drive::{Post, modern};
use super::client::{Client, Event, Events, LEGACY, asking, limited, outcome_text, service, tool};

/// Starts a call of `ask` and reads up to its request to the client; returns the id of that.
async fn ask(client: &Client, id: i64) -> (Events, Value) {
    let mut events = client.events(client.call(id, "ask")).await;
    loop {
        let event = events.event().await;
        if event.method() == "x/y" {
            let message = event.message.unwrap();
            assert_eq!(message["params"], json!({ "q": 1 }));
            return (events, message["id"].clone());
        }
    }
}

/// The tool's result, which must be the next event.
async fn final_text(mut events: Events) -> String {
    let mut rest = events.rest().await;
    assert_eq!(rest.len(), 1, "{rest:?}");
    rest.remove(0).text().to_owned()
}

#[tokio::test(start_paused = true)]
async fn w2_2_an_answer_reaches_its_request() {
    let service = service([asking()]);
    for revision in LEGACY {
        let client = Client::open_with(&service, revision, None).await;
        let (one, first) = ask(&client, 7).await;
        let (two, second) = ask(&client, 8).await;
        assert_ne!(first, second);
        for (id, result) in [(&second, json!({ "n": 2 })), (&first, json!({ "n": 1 }))] {
            let answer = client.answer(id.clone(), &result).await;
            assert_eq!((answer.status, &answer.body[..], answer.headers.len()), (202, &b""[..], 0));
        }
        assert_eq!((final_text(one).await, final_text(two).await), (r#"{"n":1}"#.to_owned(), r#"{"n":2}"#.to_owned()));
        let (events, id) = ask(&client, 9).await;
        let error = json!({ "code": -32002, "message": "gone", "data": { "uri": "x" } });
        let rejection = client.post(&json!({ "jsonrpc": "2.0", "id": id, "error": error }));
        assert_eq!(rejection.send(&service).await.status, 202);
        assert!(final_text(events).await.starts_with("Refused { code: -32002, message: \"gone\", data: Some("));
    }
}

#[tokio::test(start_paused = true)]
async fn w2_2_unmatched_responses_are_accepted_and_ignored() {
    let service = service([asking()]);
    let (client, other) = (Client::open(&service).await, Client::open(&service).await);
    let (mut events, id) = ask(&client, 1).await;
    for stray in [json!(99), json!("1"), json!(-1), json!(""), json!("9".repeat(1000))] {
        assert_eq!(client.answer(stray, &json!("stray")).await.status, 202);
    }
    for nameless in
        [json!({ "jsonrpc": "2.0", "error": { "code": 1, "message": "?" } }), json!({ "jsonrpc": "2.0", "result": {} })]
    {
        let status = client.post(&nameless).send(&service).await.status;
        assert!(matches!(status, 202 | 400), "{status}");
    }
    // An answer in another session is not taken, even with the same id.
    assert_eq!(other.answer(id.clone(), &json!("another's")).await.status, 202);
    assert!(timeout(Duration::from_secs(1), events.next()).await.is_err());
    assert_eq!(client.answer(id.clone(), &json!("first")).await.status, 202);
    assert_eq!(client.answer(id.clone(), &json!("second")).await.status, 202);
    assert_eq!(final_text(events).await, "\"first\"");
    assert_eq!(client.answer(id, &json!("late")).await.status, 202);
}

#[tokio::test(start_paused = true)]
async fn w2_2_a_silent_client_gets_a_cancellation() {
    let service = service([asking()]);
    let client = Client::open(&service).await;
    let before = Instant::now();
    let (mut events, id) = ask(&client, 1).await;
    let rest = events.rest().await;
    assert_eq!(before.elapsed(), Duration::from_secs(30));
    assert_eq!(rest.iter().map(Event::method).collect::<Vec<_>>(), ["notifications/cancelled", ""]);
    assert_eq!(rest[0].message.as_ref().unwrap()["params"]["requestId"], id);
    assert_eq!(rest[1].text(), "TimedOut(30s)");
    assert_eq!(client.answer(id, &json!("late")).await.status, 202);
}

#[tokio::test(start_paused = true)]
async fn w3_11_a_cancelled_request_cancels_its_requests_to_the_client() {
    let service = service([asking()]);
    let client = Client::open(&service).await;
    let (mut events, id) = ask(&client, 1).await;
    client.cancel(1).await;
    let rest = events.rest().await;
    assert_eq!(rest.iter().map(Event::method).collect::<Vec<_>>(), ["notifications/cancelled"]);
    assert_eq!(rest[0].message.as_ref().unwrap()["params"]["requestId"], id);
    assert_eq!(client.answer(id, &json!("late")).await.status, 202);
}

/// A request to the client that outlives its own request is cancelled on the `GET` stream.
#[tokio::test(start_paused = true)]
async fn w5_8_messages_without_another_stream_are_sent_on_the_get_stream() {
    let outliving = tool("outlive", |cx| async move {
        let asks = cx.clone();
        tokio::spawn(async move { asks.request("x/y", json!({}), Duration::from_secs(30)).await });
        cx.sleep(Duration::from_secs(1)).await;
        Ok("over".to_owned())
    });
    let service = service([outliving]);
    let client = Client::open(&service).await;
    // The cancellation waits until a `GET` stream opens.
    let before = client.events(client.call(1, "outlive")).await.rest().await;
    assert_eq!(before.last().unwrap().text(), "over");
    let mut own = client.events(client.get()).await;
    assert!(own.event().await.message.is_none());
    assert_eq!(own.event().await.method(), "notifications/cancelled");
    let mut events = client.events(client.call(1, "outlive")).await.rest().await;
    assert_eq!(events.pop().unwrap().text(), "over");
    let request = events.pop().unwrap();
    assert_eq!(request.method(), "x/y");
    let withdrawn = own.event().await;
    assert_eq!(withdrawn.method(), "notifications/cancelled");
    assert_eq!(withdrawn.message.as_ref().unwrap()["params"]["requestId"], request.message.unwrap()["id"]);
    // The cancellation is an event of the stream, so the client may resume after it.
    drop(own);
    let id = withdrawn.id().to_owned();
    assert!(timeout(Duration::from_secs(1), client.resume(&id).await.next()).await.is_err());
    let (stream, _) = id.split_once('-').unwrap();
    assert_eq!(client.resume(&format!("{stream}-1")).await.event().await, withdrawn);
}

#[tokio::test(start_paused = true)]
async fn w2_2_a_request_to_a_disconnected_client_fails() {
    let service = service([
        asking(),
        tool("twice", |cx| async move {
            let first = outcome_text(cx.request("x/y", json!({}), Duration::from_secs(30)).await);
            Ok(format!("{first} {}", outcome_text(cx.request("x/y", json!({}), Duration::from_secs(30)).await)))
        }),
    ]);
    let client = Client::open(&service).await;
    let (events, _) = ask(&client, 1).await;
    let mut twice = client.events(client.call(2, "twice")).await;
    let mut last = String::new();
    while !last.ends_with("-1") {
        last = twice.event().await.id().to_owned();
    }
    let before = Instant::now();
    drop((events, twice));
    tokio::time::sleep(Duration::from_secs(11)).await;
    // Each request waited for five seconds; a client that resumes still gets the result.
    let mut rest = client.resume(&last).await;
    assert_eq!(rest.rest().await.pop().unwrap().text(), "Disconnected Disconnected");
    assert_eq!(before.elapsed(), Duration::from_secs(11));
}

#[tokio::test(start_paused = true)]
async fn w5_6_a_client_that_resumes_in_time_can_still_answer() {
    let service = service([asking()]);
    let client = Client::open(&service).await;
    let (events, id) = ask(&client, 1).await;
    drop(events);
    for _ in 0..3 {
        tokio::time::sleep(Duration::from_millis(4900)).await;
        let mut events = client.resume("1-0").await;
        assert_eq!(events.event().await.message.unwrap()["id"], id);
        assert!(timeout(Duration::from_millis(10), events.next()).await.is_err());
    }
    let mut events = client.resume("1-1").await;
    assert_eq!(client.answer(id, &json!("back")).await.status, 202);
    assert_eq!(events.event().await.text(), "\"back\"");
    assert_eq!(events.next().await, None);
}

fn echo_length() -> Tool {
    tool("length", |cx| async move {
        let answer = cx.request("x/y", json!({ "q": 1 }), Duration::from_secs(30)).await?;
        Ok(answer["text"].as_str().unwrap_or_default().len().to_string())
    })
}

#[tokio::test(start_paused = true)]
async fn w5_14_an_expected_answer_may_be_longer_than_other_messages() {
    let limits = Limits { message_bytes: 1000, answer_bytes: 5000, ..Limits::default() };
    let service = limited([echo_length()], limits);
    let (client, other) = (Client::open(&service).await, Client::open(&service).await);
    let answer = |client: &Client, id: &Value, length: usize| {
        client.post(&json!({ "jsonrpc": "2.0", "id": id, "result": { "text": "x".repeat(length) } }))
    };
    let rejected = async |post: Post, setting: &str| {
        let answer = post.send(&service).await;
        assert_eq!((answer.status, answer.code()), (413, -32600));
        assert!(answer.message().contains(setting), "{answer:?}");
    };
    rejected(answer(&client, &json!(1), 2000), "`Limits::message_bytes`").await;
    let mut events = client.events(client.call(1, "length")).await;
    let id = loop {
        if let Some(message) = events.event().await.message {
            break message["id"].clone();
        }
    };
    rejected(answer(&client, &id, 5000), "`Limits::answer_bytes`").await;
    // Messages of other sessions have the normal limit.
    rejected(answer(&other, &id, 2000), "`Limits::message_bytes`").await;
    let stranger = answer(&client, &id, 2000).header("mcp-session-id", "nope");
    rejected(stranger, "`Limits::message_bytes`").await;
    // The session decides about the limit, before the body is read; the version that contradicts it is rejected after that.
    let modern = answer(&client, &id, 2000).header("mcp-protocol-version", modern()).send(&service).await;
    assert_eq!((modern.status, modern.code()), (400, -32600));
    assert_eq!(answer(&client, &id, 4000).send(&service).await.status, 202);
    assert_eq!(final_text(events).await, "4000");
    rejected(answer(&client, &id, 2000), "`Limits::message_bytes`").await;
    // A lower limit for answers does not lower that for other messages.
    let service = limited([echo_length()], Limits { answer_bytes: 10, ..Limits::default() });
    let client = Client::open(&service).await;
    let mut events = pin!(client.events(client.call(1, "length")));
    let mut events = events.as_mut().await;
    while events.event().await.method() != "x/y" {}
    assert_eq!(answer(&client, &json!(1), 2000).send(&service).await.status, 202);
    assert_eq!(final_text(events).await, "2000");
}
