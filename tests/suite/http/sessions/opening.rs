//! How sessions begin and end: when they exist, their ids, their idle time, and eviction.

use std::collections::HashSet;
use std::convert::Infallible;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use grange_core::{Limits, Revision, Server};
use grange_http::{HttpService, Principal};
use http_body::{Body, Frame};
use serde_json::json;
use tokio::time::{Instant, advance, timeout};
use tower_service::Service;

use super::super::drive::{Answer, NOTE, Post, Silent, answered, note};
use super::client::{Client, LEGACY, PRIMED, UNPRIMED, asking, initialize, limited, service, tool};

#[tokio::test]
async fn w5_9_sessions_exist_only_if_needed_or_configured() {
    let plain = Server::builder("tests", "1.0.0").resource(note()).build().unwrap();
    let client = Client::open(&HttpService::builder(plain.clone()).sessions().build().unwrap()).await;
    assert_eq!(client.ping().await.status, 200);
    Client::open(&service([])).await;
    let without = HttpService::new(plain);
    for revision in LEGACY {
        let answer = Client::try_open(&without, revision, None).await.map(|client| client.session).unwrap_err();
        assert_eq!((answer.status, answer.headers.keys().count()), (200, 1));
    }
    let answer = client.get().send(&without).await;
    assert_eq!((answer.status, &answer.headers["allow"]), (405, &"POST".parse().unwrap()));
}

#[tokio::test]
async fn w5_9_an_id_is_visible_ascii_and_unique() {
    let service = service([]);
    let mut seen = HashSet::new();
    for revision in LEGACY.into_iter().cycle().take(100) {
        let id = Client::try_open(&service, revision, None).await.unwrap().session;
        assert!(id.len() >= 32 && id.bytes().all(|byte| byte.is_ascii_graphic()), "{id}");
        assert!(seen.insert(id));
    }
    // Only the response to the handshake has the id.
    let client = Client::open(&service).await;
    for post in [client.request(1, "ping", &json!({})), client.request(1, "no/such", &json!({})), client.delete()] {
        assert_eq!(post.send(&service).await.headers.get("mcp-session-id"), None);
    }
    for rejected in [json!({}), json!({ "protocolVersion": 1 }), json!({ "protocolVersion": "", "_meta": 1 })] {
        let answer = Post::legacy("initialize", &rejected).send(&service).await;
        assert_eq!((answer.code(), answer.headers.get("mcp-session-id")), (-32602, None));
    }
    // A client that accepts only streams gets it too.
    let answer = initialize(PRIMED).header("accept", "text/event-stream").send(&service).await;
    assert!(answer.headers.contains_key("mcp-session-id") && answer.events().len() == 1);
}

#[tokio::test]
async fn w5_9_hostile_ids_are_unknown() {
    let service = service([]);
    let client = Client::open(&service).await;
    let upper = client.session.to_uppercase();
    let check = async |post: Post, what: &str| {
        let answer = post.send(&service).await;
        assert_eq!((answer.status, answer.code()), (404, -32600), "{what}");
        assert_eq!(answer.message(), "Session not found", "{what}");
    };
    let others = [
        Vec::new(),
        b"nope".to_vec(),
        b"x".repeat(10 * 1024),
        b"\xc3\xa9\xff".repeat(10),
        vec![0xff; 32],
        b"0".repeat(32),
        b"\xef\xbc\x90".repeat(32),
        format!("{} ", client.session).into_bytes(),
        format!("{0}, {0}", client.session).into_bytes(),
        format!("{}0", client.session).into_bytes(),
        client.session.as_bytes()[1..].to_vec(),
    ];
    for id in others {
        let what = String::from_utf8_lossy(&id).into_owned();
        for post in [client.get(), client.delete(), client.request(1, "ping", &json!({}))] {
            check(post.header("mcp-session-id", &id), &what).await;
        }
        check(initialize(PRIMED).header("mcp-session-id", &id), &what).await;
    }
    if upper != client.session {
        check(client.get().header("mcp-session-id", &upper), "other digits").await;
    }
    for second in [&*client.session, "nope"] {
        check(client.request(1, "ping", &json!({})).line("mcp-session-id", second), "two lines").await;
        check(client.delete().line("mcp-session-id", second), "two lines").await;
    }
    let answer = client.request("seven", "ping", &json!({})).header("mcp-session-id", "nope").send(&service).await;
    assert_eq!(answer.json()["id"], "seven");
    let note = client.notify("notifications/initialized", &json!({})).await;
    assert_eq!(note.status, 202);
}

#[tokio::test]
async fn w5_9_all_requests_except_the_handshake_need_a_session() {
    let service = service([]);
    let client = Client::open(&service).await;
    let note = client.post(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    let response = client.post(&json!({ "jsonrpc": "2.0", "id": 1, "result": {} }));
    for post in [client.request(1, "ping", &json!({})), note, response] {
        let answer = post.clone().without("mcp-session-id").send(&service).await;
        assert_eq!((answer.status, answer.code()), (400, -32600), "{answer:?}");
        assert_eq!(post.header("mcp-session-id", "0".repeat(32)).send(&service).await.status, 404);
    }
}

#[tokio::test]
async fn w4_3_the_revision_of_the_session_applies() {
    let service = service([]);
    for revision in LEGACY {
        let client = Client::open_with(&service, revision, None).await;
        for other in LEGACY.into_iter().filter(|other| *other != revision) {
            for post in [client.request(1, "ping", &json!({})), client.get(), client.delete()] {
                let answer = post.header("mcp-protocol-version", other.name()).send(&service).await;
                assert_eq!((answer.status, answer.code()), (400, -32600), "{revision} {other}");
                assert!(answer.message().contains(revision.name()) && answer.message().contains(other.name()));
            }
        }
        let named = client.request(1, "ping", &json!({})).header("mcp-protocol-version", revision.name());
        for post in [named.clone(), named.without("mcp-protocol-version")] {
            assert_eq!(post.send(&service).await.status, 200);
        }
        client.events(client.get().without("mcp-protocol-version")).await;
    }
}

#[tokio::test]
async fn w3_17_a_second_initialize_in_a_session_is_rejected() {
    let service = service([]);
    let client = Client::open(&service).await;
    for revision in [PRIMED, UNPRIMED] {
        let post = initialize(revision).header("mcp-session-id", &client.session);
        let answer = post.header("mcp-protocol-version", PRIMED.name()).send(&service).await;
        assert_eq!((answer.status, answer.code(), &answer.json()["id"]), (400, -32600, &json!(1)));
        assert_eq!(answer.headers.get("mcp-session-id"), None);
    }
    assert_eq!(client.ping().await.status, 200);
}

#[tokio::test]
async fn w5_8_a_modern_request_has_no_session() {
    let service = service([asking()]);
    let client = Client::open(&service).await;
    for post in [Post::read(), Post::modern("server/discover", json!({}))] {
        for id in [&*client.session, "gone", ""] {
            let answer = post.clone().header("mcp-session-id", id).header("last-event-id", "1-0").send(&service).await;
            assert_eq!((answer.status, answer.headers.get("mcp-session-id")), (200, None), "{answer:?}");
        }
    }
    let call = Post::modern("tools/call", json!({ "name": "ask", "arguments": {} })).header("mcp-name", "ask");
    let answer = call.header("mcp-session-id", &client.session).send(&service).await;
    assert_eq!(answer.json()["result"]["content"][0]["text"], "Unavailable(Revision)");
    // A response to the request is not accepted as one of the session.
    let response = Post::of(json!({ "jsonrpc": "2.0", "id": 1, "result": {} }).to_string());
    let response = response.header("mcp-protocol-version", Revision::V2026_07_28.name());
    assert_eq!(response.header("mcp-session-id", &client.session).send(&service).await.status, 400);
}

#[tokio::test(start_paused = true)]
async fn w5_9_an_idle_session_expires() {
    let check = async |limits: Limits, time: Duration| {
        let service = limited([], limits);
        let client = Client::open(&service).await;
        for _ in 0..3 {
            advance(time.mul_f64(0.999)).await;
            assert_eq!(client.ping().await.status, 200);
        }
        advance(time).await;
        for post in [client.request(1, "ping", &json!({})), client.get(), client.delete()] {
            assert_eq!(post.send(&service).await.status, 404);
        }
    };
    check(Limits::default(), Duration::from_secs(30 * 60)).await;
    let short = Duration::from_secs(5);
    check(Limits { session_idle: short, ..Limits::default() }, short).await;
}

#[tokio::test(start_paused = true)]
async fn w5_9_a_session_in_use_is_not_idle() {
    let service = limited([asking()], Limits { session_idle: Duration::from_secs(5), ..Limits::default() });
    let (listens, asks) = (Client::open(&service).await, Client::open(&service).await);
    let held = listens.events(listens.get()).await;
    let mut events = asks.events(asks.call(1, "ask")).await;
    while events.event().await.method() != "x/y" {}
    tokio::time::sleep(Duration::from_secs(25)).await;
    assert_eq!(asks.answer(1, &json!({})).await.status, 202);
    assert_eq!(events.rest().await.pop().unwrap().text(), "{}");
    tokio::time::sleep(Duration::from_secs(3600)).await;
    assert_eq!((listens.ping().await.status, asks.ping().await.status), (200, 404));
    // It is idle from the moment when its last stream closes.
    drop(held);
    tokio::time::sleep(Duration::from_secs(4)).await;
    assert_eq!(listens.ping().await.status, 200);
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(listens.ping().await.status, 404);
}

#[tokio::test(start_paused = true)]
async fn w5_9_a_session_is_in_use_while_a_request_without_a_client_runs() {
    let rests = tool("rest", |cx| async move {
        cx.sleep(Duration::from_secs(20)).await;
        Ok("rested".to_owned())
    });
    let service = limited([rests], Limits { session_idle: Duration::from_secs(5), sessions: 1, ..Limits::default() });
    let name: Arc<str> = "alice".into();
    let client = Client::open_with(&service, PRIMED, Some(&Principal::new(name.clone()))).await;
    let mut request = Box::pin(client.call(1, "rest").send(&service));
    assert!(timeout(Duration::from_secs(1), &mut request).await.is_err());
    drop((request, client));
    tokio::time::sleep(Duration::from_secs(18)).await;
    let rejected = Client::try_open(&service, PRIMED, None).await.map(|client| client.session).unwrap_err();
    assert_eq!((rejected.status, Arc::strong_count(&name) > 1), (503, true));
    tokio::time::sleep(Duration::from_secs(8)).await;
    assert_eq!(Arc::strong_count(&name), 1);
}

#[tokio::test(start_paused = true)]
async fn w5_9_an_expired_session_is_freed_without_another_request() {
    let limits = Limits { session_idle: Duration::from_secs(60), ..Limits::default() };
    let service = limited([], limits);
    let name: Arc<str> = "alice".into();
    let kept = || Arc::strong_count(&name) - 1;
    let principal = Principal::new(name.clone());
    for _ in 0..10 {
        Client::try_open(&service, PRIMED, Some(&principal)).await.unwrap();
    }
    let without = kept();
    drop(principal);
    // One for each session, and one for the count per principal.
    assert_eq!((without, kept()), (12, 11));
    tokio::time::sleep(Duration::from_secs(59)).await;
    assert_eq!(kept(), 11);
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(kept(), 0);
    // The same happens for later sessions.
    Client::try_open(&service, PRIMED, Some(&Principal::new(name.clone()))).await.unwrap();
    assert_eq!(kept(), 2);
    tokio::time::sleep(Duration::from_secs(62)).await;
    assert_eq!(kept(), 0);
}

#[tokio::test(start_paused = true)]
async fn w5_9_the_longest_idle_session_is_evicted() {
    let service = limited([], Limits { sessions: 3, ..Limits::default() });
    let mut clients = Vec::new();
    for _ in 0..3 {
        clients.push(Client::open(&service).await);
    }
    clients[0].ping().await;
    let held = clients[1].events(clients[1].get()).await;
    // The first session was used since, and the second has a stream.
    clients.push(Client::open(&service).await);
    assert_eq!(statuses(&clients).await, [200, 200, 404, 200]);
    drop(held);
    clients[0].ping().await;
    // The pings were sent in this order.
    clients.push(Client::open(&service).await);
    assert_eq!(statuses(&clients).await, [200, 200, 404, 404, 200]);
}

async fn statuses(clients: &[Client]) -> Vec<u16> {
    let mut statuses = Vec::new();
    for client in clients {
        statuses.push(client.ping().await.status);
    }
    statuses
}

#[tokio::test(start_paused = true)]
async fn w5_9_without_an_idle_session_a_handshake_is_rejected() {
    let service = limited([asking()], Limits { sessions: 2, ..Limits::default() });
    let (listens, asks) = (Client::open(&service).await, Client::open(&service).await);
    let held = listens.events(listens.get()).await;
    let mut events = asks.events(asks.call(1, "ask")).await;
    while events.event().await.method() != "x/y" {}
    for _ in 0..10 {
        let rejected = Client::try_open(&service, PRIMED, None).await.map(|client| client.session).unwrap_err();
        assert_eq!((rejected.busy().as_str(), rejected.headers.get("mcp-session-id")), ("sessions", None));
    }
    assert_eq!(asks.answer(1, &json!(7)).await.status, 202);
    assert_eq!(events.rest().await.pop().unwrap().text(), "7");
    drop((held, events));
    let newest = Client::open(&service).await;
    assert_eq!(statuses(&[listens, asks, newest]).await.iter().filter(|status| **status == 200).count(), 2);
    // A request without a session is still served.
    assert_eq!(Post::read_of(NOTE).send(&service).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn w5_9_many_handshakes_stay_within_the_limit_and_evict_no_session_in_use() {
    let limits = Limits { sessions: 500, sessions_per_principal: usize::MAX, ..Limits::default() };
    let service = limited([], limits);
    let living = Client::open(&service).await;
    let held = living.events(living.get()).await;
    let name: Arc<str> = "crowd".into();
    let principal = Principal::new(name.clone());
    let before = Instant::now();
    for round in 0..10_000_usize {
        let answer = initialize(PRIMED).from(Some(&principal)).send(&service).await;
        assert!(answer.headers.contains_key("mcp-session-id"), "{answer:?}");
        // One for each session, one for the count per principal, two here.
        assert_eq!(Arc::strong_count(&name), 3 + (round + 1).min(499));
    }
    assert!(before.elapsed().is_zero());
    assert_eq!(living.ping().await.status, 200);
    drop(held);
}

#[tokio::test]
async fn w5_9_the_size_of_client_info_is_limited() {
    let service = service([]);
    let params = |length: usize| {
        let client = json!({ "name": "x".repeat(length), "version": "1" });
        json!({ "protocolVersion": PRIMED.name(), "capabilities": {}, "clientInfo": client })
    };
    let answer = Post::legacy("initialize", &params(10_000)).send(&service).await;
    assert!(answer.headers.contains_key("mcp-session-id"));
    let answer = Post::legacy("initialize", &params(20_000)).send(&service).await;
    assert_eq!((answer.code(), answer.headers.get("mcp-session-id")), (-32602, None));
}

/// A body that arrives later does not keep the session: neither from its end nor from eviction.
#[tokio::test(start_paused = true)]
async fn w5_8_a_session_may_end_while_a_body_arrives() {
    let service = service([]);
    let client = Client::open(&service).await;
    let (send, body) = late_body();
    let mut answer = pin!(service.clone().call(client.request(1, "ping", &json!({})).with(body)));
    assert!(timeout(Duration::from_millis(1), &mut answer).await.is_err());
    assert_eq!(client.delete().send(&service).await.status, 204);
    send.send(client.request(1, "ping", &json!({})).body).unwrap();
    let answer = Answer::of(answered(answer.await)).await;
    assert_eq!((answer.status, answer.code()), (404, -32600));
}

#[tokio::test(start_paused = true)]
async fn w5_14_a_body_that_does_not_arrive_keeps_no_session_from_eviction() {
    let service = limited([], Limits { sessions: 2, ..Limits::default() });
    let clients = [Client::open(&service).await, Client::open(&service).await];
    let mut waiting = Vec::new();
    for client in &clients {
        let mut answer = Box::pin(service.clone().call(client.request(1, "ping", &json!({})).with(Silent)));
        assert!(timeout(Duration::from_millis(1), &mut answer).await.is_err());
        waiting.push(answer);
    }
    assert_eq!(Client::open(&service).await.ping().await.status, 200);
}

/// A body of one part, which arrives when it is sent.
fn late_body() -> (tokio::sync::oneshot::Sender<Bytes>, Late) {
    let (send, part) = tokio::sync::oneshot::channel();
    (send, Late(Some(part)))
}

struct Late(Option<tokio::sync::oneshot::Receiver<Bytes>>);

impl Body for Late {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let Some(part) = &mut self.0 else { return Poll::Ready(None) };
        let part = ready!(Pin::new(part).poll(cx)).unwrap();
        self.0 = None;
        Poll::Ready(Some(Ok(Frame::data(part))))
    }
}
