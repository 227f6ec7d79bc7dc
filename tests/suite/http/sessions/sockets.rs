//! Sessions over real connections.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use grange_core::{Limits, Server};
use http::Method;
use http_body_util::BodyExt;
use hyper::body::Incoming;
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::time::timeout;

use super::super::drive::{Answer, Post, next};
use super::super::lifetime::{Runs, waiting};
use super::super::sockets::{SHORT, Serving, request2, soon};
use super::client::{PRIMED, asking, builder, initialize, tool};

/// Opens a session.
async fn open(serving: &Serving) -> String {
    let answer = serving.send(initialize(PRIMED), "/mcp").await;
    let session = answer.headers["mcp-session-id"].to_str().unwrap().to_owned();
    let message = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let note = serving.send(post(&session, &message), "/mcp").await;
    assert_eq!((note.status, &note.body[..]), (202, &b""[..]));
    session
}

fn post(session: &str, message: &Value) -> Post {
    let post = Post::of(message.to_string()).header("mcp-session-id", session);
    post.header("mcp-protocol-version", PRIMED.name())
}

fn call(session: &str, tool: &str) -> Post {
    post(session, &json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": tool } }))
}

fn get(session: &str) -> Post {
    let post = post(session, &json!(null)).body("").method(Method::GET).without("content-type");
    post.header("accept", "text/event-stream")
}

/// Reads until this text has arrived; returns all text up to there.
async fn until(body: &mut Incoming, expected: &str) -> String {
    let mut text = String::new();
    while !text.contains(expected) {
        text.push_str(&soon(next(body)).await.unwrap_or_else(|| panic!("{expected} is not in {text}")));
    }
    text
}

async fn rest(body: Incoming) -> String {
    String::from_utf8(soon(body.collect()).await.unwrap().to_bytes().to_vec()).unwrap()
}

fn server() -> Server {
    builder([asking()], Limits::default()).build().unwrap()
}

#[tokio::test]
async fn w2_2_an_answer_on_one_connection_wakes_the_request_on_another() {
    let serving = Serving::new(server(), |http| http).await;
    let session = open(&serving).await;
    let response = json!({ "jsonrpc": "2.0", "id": 1, "result": { "a": 1 } });
    let mut client = serving.http1().await;
    let mut body = soon(client.send_request(serving.request(call(&session, "ask"), "/mcp"))).await.unwrap().into_body();
    until(&mut body, "\"x/y\"").await;
    assert_eq!(serving.send(post(&session, &response), "/mcp").await.status, 202);
    assert!(rest(body).await.contains(r#"{\"a\":1}"#));
    // The same over one HTTP/2 connection.
    let mut client = serving.http2().await;
    let here = serving.address.to_string();
    let mut body = soon(client.send_request(request2(call(&session, "ask"), &here))).await.unwrap().into_body();
    until(&mut body, "\"x/y\"").await;
    let response = json!({ "jsonrpc": "2.0", "id": 2, "result": { "a": 2 } });
    let answer = Answer::of(soon(client.send_request(request2(post(&session, &response), &here))).await.unwrap()).await;
    assert_eq!(answer.status, 202);
    assert!(rest(body).await.contains(r#"{\"a\":2}"#));
    serving.stopped().await;
}

#[tokio::test]
async fn w5_6_a_stream_with_a_lost_connection_can_be_resumed() {
    let step = Arc::new(Notify::new());
    let waits = step.clone();
    let steps = tool("step", move |cx| {
        let waits = waits.clone();
        async move {
            cx.suspend();
            waits.notified().await;
            Ok("after all".to_owned())
        }
    });
    let server = builder([steps], Limits::default()).build().unwrap();
    let serving = Serving::new(server, |http| http).await;
    let session = open(&serving).await;
    let mut client = serving.http1().await;
    let body = soon(client.send_request(serving.request(call(&session, "step"), "/mcp"))).await.unwrap().into_body();
    let first = rest(body).await;
    assert_eq!(first, "id: 1-0\nretry: 1000\ndata:\n\nretry: 1000\n\n");
    // A connection that breaks in the middle.
    let resume = || get(&session).header("last-event-id", "1-0");
    let mut lost = serving.http1().await;
    let mut body = soon(lost.send_request(serving.request(resume(), "/mcp"))).await.unwrap().into_body();
    assert_eq!(soon(next(&mut body)).await.as_deref(), Some(":\n\n"));
    drop((lost, body));
    let mut client = serving.http1().await;
    let mut body = soon(client.send_request(serving.request(resume(), "/mcp"))).await.unwrap().into_body();
    assert_eq!(soon(next(&mut body)).await.as_deref(), Some(":\n\n"));
    step.notify_one();
    let end = rest(body).await;
    assert!(
        end.starts_with("id: 1-1\nevent: message\ndata: {") && end.contains("after all") && end.ends_with("\n\n"),
        "{end}"
    );
    let gone = serving.send(post(&session, &json!(null)).body("").method(Method::DELETE), "/mcp").await;
    assert_eq!((gone.status, &gone.body[..]), (204, &b""[..]));
    assert_eq!(serving.send(resume(), "/mcp").await.status, 404);
    serving.stopped().await;
}

#[tokio::test]
async fn w5_13_shutdown_ends_listening_streams_and_lets_requests_finish() {
    let runs = Arc::new(Runs::default());
    let server = builder([], Limits::default()).resource(waiting(&runs)).build().unwrap();
    let serving = Serving::new(server, |http| http).await;
    let session = open(&serving).await;
    let mut listens = serving.http1().await;
    let mut held = soon(listens.send_request(serving.request(get(&session), "/mcp"))).await.unwrap().into_body();
    until(&mut held, "retry: 1000").await;
    let read = json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": { "uri": "docs://run" } });
    let read = post(&session, &read).header("accept", "text/event-stream");
    // One request with a waiting client, and one whose client has disconnected.
    let (mut waits, mut leaves) = (serving.http2().await, serving.http1().await);
    let response = request2(read.clone(), &serving.address.to_string());
    let response = soon(waits.send_request(response)).await.unwrap().into_body();
    soon(runs.started.notified()).await;
    soon(leaves.send_request(serving.request(read, "/mcp"))).await.unwrap();
    soon(runs.started.notified()).await;
    drop(leaves);
    serving.stop.notify_one();
    rest(held).await;
    assert!(!serving.task.is_finished());
    runs.release.notify_one();
    soon(runs.stopped.notified()).await;
    assert!(!serving.task.is_finished());
    runs.release.notify_one();
    assert!(rest(response).await.contains("released"));
    soon(serving.task).await.unwrap().unwrap();
    assert_eq!((runs.cancelled(), runs.finished()), (0, 2));
}

#[tokio::test]
async fn w5_13_after_the_grace_period_no_work_of_a_session_runs() {
    let (started, stopped) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (starts, stops) = (started.clone(), stopped.clone());
    let endless = tool("endless", move |cx| {
        let (starts, stops) = (starts.clone(), stops.clone());
        async move {
            let token = cx.cancellation_token();
            tokio::spawn(async move {
                token.cancelled().await;
                stops.notify_one();
            });
            starts.notify_one();
            std::future::pending().await
        }
    });
    let server = builder([endless], Limits { shutdown_grace: SHORT, ..Limits::default() }).build().unwrap();
    let serving = Serving::new(server, |http| http).await;
    let session = open(&serving).await;
    let mut client = serving.http1().await;
    let mut request = pin!(client.send_request(serving.request(call(&session, "endless"), "/mcp")));
    assert!(timeout(Duration::from_millis(1), &mut request).await.is_err());
    soon(started.notified()).await;
    serving.stopped().await;
    soon(stopped.notified()).await;
}
