//! GET and DELETE: their checks, the `GET` stream, and the end of a session.

use std::future::pending;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use grange_core::{Limits, Server};
use grange_http::HttpService;
use http::Method;
use serde_json::json;
use tokio::time::timeout;

use super::super::drive::{Answer, Post, modern, note};
use super::super::lifetime::{Runs, waiting};
use super::client::{Client, Event, LEGACY, PRIMED, UNPRIMED, asking, builder, limited, service, tool};

const BOTH: [Method; 2] = [Method::GET, Method::DELETE];

fn of(client: &Client, method: &Method) -> Post {
    if *method == Method::GET { client.get() } else { client.delete() }
}

#[tokio::test(start_paused = true)]
async fn w5_8_get_and_delete_need_an_existing_session() {
    let service = service([]);
    for revision in LEGACY {
        let client = Client::open_with(&service, revision, None).await;
        for method in BOTH {
            let unnamed = of(&client, &method).without("mcp-session-id").send(&service).await;
            assert_eq!((unnamed.status, unnamed.code()), (400, -32600), "{method}");
            let unknown = of(&client, &method).header("mcp-session-id", "nope").send(&service).await;
            assert_eq!((unknown.status, unknown.code()), (404, -32600), "{method}");
            assert_eq!((unknown.message(), unknown.json().get("id")), ("Session not found".to_owned(), None));
        }
        let deleted = client.delete().send(&service).await;
        assert_eq!((deleted.status, &deleted.body[..], deleted.headers.len()), (204, &b""[..], 0));
        for post in [client.get(), client.delete(), client.request(1, "ping", &json!({}))] {
            assert_eq!(post.send(&service).await.status, 404);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn w5_8_other_methods_are_not_allowed() {
    let service = service([]);
    let client = Client::open(&service).await;
    for method in [Method::PUT, Method::OPTIONS, Method::HEAD, Method::PATCH] {
        let answer = client.get().method(method.clone()).send(&service).await;
        let allowed = "GET, POST, DELETE".parse().unwrap();
        assert_eq!((answer.status, &answer.headers["allow"]), (405, &allowed), "{method}");
    }
    // Revisions without sessions have only POST.
    for method in BOTH {
        let answer = of(&client, &method).header("mcp-protocol-version", modern()).send(&service).await;
        assert_eq!((answer.status, answer.code()), (405, -32600), "{method}");
        assert_eq!(answer.headers["allow"], "POST, DELETE");
    }
    assert_eq!(client.ping().await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn w4_6_get_and_delete_with_an_invalid_version_header_are_rejected() {
    let service = service([]);
    let client = Client::open(&service).await;
    for version in ["1900-01-01", "2031-01-01", "2025/11/25", "garbage", "", " "] {
        for method in BOTH {
            let answer = of(&client, &method).header("mcp-protocol-version", version).send(&service).await;
            assert_eq!((answer.status, answer.code()), (400, -32600), "{method} {version}");
            assert!(String::from_utf8_lossy(&answer.body).contains("MCP-Protocol-Version"), "{answer:?}");
        }
    }
    assert_eq!(client.ping().await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn w5_8_a_server_without_its_own_messages_has_no_get_stream() {
    let server = Server::builder("tests", "1.0.0").resource(note()).build().unwrap();
    let service = HttpService::builder(server).sessions().build().unwrap();
    let client = Client::open(&service).await;
    let answer = client.get().send(&service).await;
    assert_eq!((answer.status, &answer.headers["allow"]), (405, &"POST, DELETE".parse().unwrap()));
    for method in [Method::PUT, Method::OPTIONS, Method::HEAD, Method::PATCH] {
        let answer = client.get().method(method.clone()).send(&service).await;
        assert_eq!((answer.status, &answer.headers["allow"]), (405, &"POST, DELETE".parse().unwrap()), "{method}");
    }
    // A missing session or a bad header is reported first.
    assert_eq!(client.get().header("mcp-session-id", "nope").send(&service).await.status, 404);
    assert_eq!(client.get().header("last-event-id", "1-0").send(&service).await.status, 400);
    assert_eq!(client.delete().send(&service).await.status, 204);
}

#[tokio::test(start_paused = true)]
async fn w5_8_a_stream_sends_its_first_bytes_at_once() {
    let service = service([]);
    let before = tokio::time::Instant::now();
    for revision in LEGACY {
        let client = Client::open_with(&service, revision, None).await;
        let mut events = client.events(client.get()).await;
        let first = events.next_any().await.unwrap();
        if revision == PRIMED {
            assert_eq!((first.id.is_some(), first.retry.as_deref(), first.message), (true, Some("1000"), None));
        } else {
            assert_eq!(first, Event::default());
        }
        assert!(before.elapsed().is_zero());
    }
    // After that, a comment at every interval.
    let client = Client::open_with(&service, UNPRIMED, None).await;
    let mut events = client.events(client.get()).await;
    for expected in [0, 15, 30, 45] {
        assert_eq!(events.next_any().await, Some(Event::default()));
        assert_eq!(before.elapsed(), Duration::from_secs(expected));
    }
}

#[tokio::test(start_paused = true)]
async fn w5_8_get_needs_a_client_that_accepts_streams() {
    let service = service([]);
    let client = Client::open(&service).await;
    for accept in ["application/json", "text/html", "*/*;q=0", "text/event-stream;q=0, */*"] {
        let answer = client.get().header("accept", accept).send(&service).await;
        assert_eq!((answer.status, answer.code()), (406, -32600), "{accept}");
    }
    for accept in ["text/event-stream", "application/json, text/event-stream", "text/*", "*/*"] {
        client.events(client.get().header("accept", accept)).await;
    }
    client.events(client.get().without("accept")).await;
}

#[tokio::test(start_paused = true)]
async fn w5_8_the_first_failed_check_decides_the_answer() {
    let service = service([]);
    let client = Client::open(&service).await;
    let mut post = client.get().header("host", "evil.example").header("origin", "https://evil.example");
    post = post.header("accept", "text/html").header("mcp-session-id", "nope").header("last-event-id", "x");
    let check = async |post: &Post, status: u16| {
        assert_eq!(post.clone().open(&service).await.status().as_u16(), status);
    };
    check(&post.clone().method(Method::PUT), 403).await; // row 1
    post = post.header("host", "localhost");
    check(&post.clone().method(Method::PUT), 403).await; // row 2
    post = post.without("origin");
    check(&post.clone().method(Method::PUT), 405).await; // row 4
    check(&post.clone().header("mcp-protocol-version", modern()), 405).await;
    check(&post, 406).await; // row 6
    post = post.header("accept", "text/event-stream");
    check(&post, 404).await; // row 9
    post = post.header("mcp-session-id", &client.session);
    check(&post.clone().header("mcp-protocol-version", UNPRIMED.name()), 400).await;
    check(&post, 400).await; // the request itself
    check(&post.without("last-event-id"), 200).await;
}

#[tokio::test(start_paused = true)]
async fn w5_8_a_second_get_ends_the_first() {
    let service = limited([], Limits { streams: 2, ..Limits::default() });
    let client = Client::open(&service).await;
    let mut first = client.events(client.get()).await;
    assert!(first.event().await.id.is_some());
    let mut second = client.events(client.get()).await;
    assert_eq!((first.next().await, second.event().await.message), (None, None));
    let mut waiting = pin!(second.next_any());
    assert!(timeout(Duration::from_secs(1), &mut waiting).await.is_err());
    // Another session is not affected.
    let other = Client::open(&service).await;
    drop(first);
    other.events(other.get()).await;
    assert_eq!(waiting.await, Some(Event::default()));
}

#[tokio::test(start_paused = true)]
async fn w5_14_get_streams_count_as_held_streams() {
    let service = limited([asking()], Limits { streams: 1, requests_in_flight: 1, ..Limits::default() });
    let (one, two) = (Client::open(&service).await, Client::open(&service).await);
    let held = one.events(one.get()).await;
    assert_eq!(two.get().send(&service).await.busy(), "streams");
    // These streams do not use permits of requests, and requests do not use theirs.
    assert_eq!(two.ping().await.status, 200);
    let mut waiting_events = two.events(two.call(1, "ask")).await;
    while waiting_events.event().await.method() != "x/y" {}
    assert_eq!(two.ping().await.status, 503);
    drop(held);
    two.events(two.get()).await;
}

#[tokio::test(start_paused = true)]
async fn w5_13_an_embedding_application_can_end_the_get_streams() {
    let runs = Arc::new(Runs::default());
    let service = HttpService::new(builder([], Limits::default()).resource(waiting(&runs)).build().unwrap());
    let client = Client::open(&service).await;
    let mut held = client.events(client.get()).await;
    let read = client.request(1, "resources/read", &json!({ "uri": "docs://run" }));
    let mut read = client.events(read.header("accept", "text/event-stream")).await;
    runs.started.notified().await;
    service.clone().end_streams();
    assert!(held.rest().await.len() <= 1);
    assert!(client.events(client.get()).await.rest().await.len() <= 1);
    // Running requests continue.
    runs.release.notify_one();
    assert_eq!(super::super::drive::text(read.rest().await.pop().unwrap().message.as_ref().unwrap()), "released");
}

#[tokio::test(start_paused = true)]
async fn w5_8_delete_cancels_running_requests() {
    let runs = Arc::new(Runs::default());
    let talks = tool("talk", |cx| async move {
        cx.progress(1.0);
        pending().await
    });
    let service =
        HttpService::new(builder([talks, asking()], Limits::default()).resource(waiting(&runs)).build().unwrap());
    let client = Client::open(&service).await;
    let read = client.request(1, "resources/read", &json!({ "uri": "docs://run" }));
    let mut silent = pin!(read.send(&service));
    assert!(timeout(Duration::ZERO, &mut silent).await.is_err());
    runs.started.notified().await;
    let mut talking = client.events(client.call(2, "talk")).await;
    while talking.event().await.progress().is_none() {}
    let mut waiting_events = client.events(client.call(3, "ask")).await;
    while waiting_events.event().await.method() != "x/y" {}
    let mut held = client.events(client.get()).await;
    assert!(held.event().await.id.is_some());
    let before = tokio::time::Instant::now();
    assert_eq!(client.delete().send(&service).await.status, 204);
    // The reader's future is dropped and its token cancelled; every stream ends without further events.
    runs.stopped.notified().await;
    assert_eq!((runs.cancelled(), runs.finished()), (1, 0));
    let silent: Answer = silent.await;
    assert!(silent.is_stream() && silent.status == 200 && silent.body.is_empty(), "{silent:?}");
    for mut events in [talking, waiting_events, held] {
        assert_eq!(events.rest().await, []);
    }
    assert!(before.elapsed().is_zero());
    assert_eq!(client.ping().await.status, 404);
}
