//! Clients that leave while their answer is awaited, and clients that only send no more.

use std::sync::Arc;
use std::time::Duration;

use grange_core::Limits;
use grange_http::Http;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::drive::{NOTE, Post, modern, note, server};
use super::lifetime::{Runs, waiting};
use super::sockets::{Serving, raw, read_all, soon};

/// Much longer than a test takes: no comment on a stream shows that a client is gone.
const LONG: Duration = Duration::from_secs(600);

async fn serving(runs: &Arc<Runs>, limits: Limits) -> Serving {
    Serving::new(server([waiting(runs), note()], limits), |http: Http| http.keep_alive(LONG)).await
}

fn bytes(post: &Post) -> Vec<u8> {
    raw(post, "", post.body.len())
}

fn legacy(uri: &str) -> Post {
    Post::legacy("resources/read", &json!({ "uri": uri }))
}

/// What may be behind a request.
fn behind() -> Vec<Vec<u8>> {
    let next = bytes(&Post::read());
    [&b"P"[..], b"\r\n", b"\r\n\r\n", &next, &next[..50], &next.repeat(100)].map(<[u8]>::to_vec).into()
}

/// Closes a connection with a FIN or with a reset.
fn leave(stream: TcpStream, resets: bool) {
    if resets {
        stream.set_zero_linger().unwrap();
    }
    drop(stream);
}

#[tokio::test]
async fn w5_6_bytes_behind_a_request_do_not_hide_that_its_client_is_gone() {
    let runs = Arc::new(Runs::default());
    let serving = serving(&runs, Limits::default()).await;
    for accept in ["application/json", "application/json, text/event-stream", "text/event-stream"] {
        let request = bytes(&Post::read_of("docs://run").header("accept", accept));
        for (behind, resets) in behind().iter().flat_map(|behind| [(behind, false), (behind, true)]) {
            let mut stream = serving.connect().await;
            soon(stream.write_all(&[&request[..], behind].concat())).await.unwrap();
            soon(runs.started.notified()).await;
            leave(stream, resets);
            soon(runs.stopped.notified()).await;
        }
    }
    assert_eq!((runs.cancelled(), runs.finished()), (36, 0));
    serving.stopped().await;
}

/// The bytes come when nothing is read any more, and stay in the system's buffer.
#[tokio::test]
async fn w5_6_bytes_that_arrive_while_the_answer_is_awaited_do_not_hide_it_either() {
    let runs = Arc::new(Runs::default());
    let serving = serving(&runs, Limits::default()).await;
    for behind in behind() {
        for resets in [false, true] {
            let mut stream = serving.connect().await;
            soon(stream.write_all(&bytes(&Post::read_of("docs://run")))).await.unwrap();
            soon(runs.started.notified()).await;
            soon(stream.write_all(&behind)).await.unwrap();
            leave(stream, resets);
            soon(runs.stopped.notified()).await;
        }
    }
    assert_eq!((runs.cancelled(), runs.finished()), (12, 0));
    serving.stopped().await;
}

/// Tries until the stream is held.
async fn held(serving: &Serving, sent: &[u8]) -> TcpStream {
    loop {
        let mut stream = serving.connect().await;
        stream.write_all(sent).await.unwrap();
        let mut status = [0; 12];
        stream.read_exact(&mut status).await.unwrap();
        match &status {
            b"HTTP/1.1 200" => return stream,
            _ => assert_eq!(&status, b"HTTP/1.1 503"),
        }
    }
}

/// With a limit of one held stream, the next opens only after the first is gone.
#[tokio::test]
async fn w5_14_bytes_behind_a_request_do_not_keep_a_held_stream() {
    let runs = Arc::new(Runs::default());
    let serving = serving(&runs, Limits { streams: 1, ..Limits::default() }).await;
    for (behind, resets) in behind().iter().flat_map(|behind| [(behind, false), (behind, true)]) {
        let sent = [&bytes(&Post::listen())[..], behind].concat();
        leave(soon(held(&serving, &sent)).await, resets);
    }
    serving.stopped().await;
}

/// The client ends its half of the connection and reads the answer.
async fn half_closed(serving: &Serving, runs: &Runs, post: &Post, behind: &[u8]) -> String {
    let mut stream = serving.connect().await;
    soon(stream.write_all(&[&bytes(post)[..], behind].concat())).await.unwrap();
    soon(stream.shutdown()).await.unwrap();
    soon(runs.started.notified()).await;
    // Another connection is served meanwhile, so that the server has seen the end.
    assert_eq!(serving.send(Post::read(), "/mcp").await.text(), "note");
    runs.release.notify_one();
    read_all(&mut stream).await
}

#[tokio::test]
async fn w5_6_a_legacy_client_that_sends_no_more_gets_its_answer() {
    let runs = Arc::new(Runs::default());
    let serving = serving(&runs, Limits::default()).await;
    for accept in ["application/json", "application/json, text/event-stream", "text/event-stream"] {
        let answer = half_closed(&serving, &runs, &legacy("docs://run").header("accept", accept), b"").await;
        assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("released"), "{accept}: {answer}");
    }
    let answer = half_closed(&serving, &runs, &legacy("docs://run"), &bytes(&legacy(NOTE))).await;
    assert!(answer.contains("released") && answer.contains("\"note\""), "the next request too: {answer}");
    assert_eq!((runs.cancelled(), runs.finished()), (0, 4));
    serving.stopped().await;
}

#[tokio::test]
async fn w5_6_a_client_that_sends_no_more_gets_what_is_answered_at_once_in_every_revision() {
    let runs = Arc::new(Runs::default());
    let serving = serving(&runs, Limits::default()).await;
    for post in [legacy(NOTE), Post::read(), Post::read().header("accept", "text/event-stream")] {
        let mut stream = serving.connect().await;
        soon(stream.write_all(&bytes(&post))).await.unwrap();
        soon(stream.shutdown()).await.unwrap();
        assert!(read_all(&mut stream).await.contains("\"note\""), "{:?}", post.headers);
    }
    serving.stopped().await;
}

#[tokio::test]
async fn w5_6_a_modern_request_whose_client_sends_no_more_is_cancelled() {
    let runs = Arc::new(Runs::default());
    let serving = serving(&runs, Limits::default()).await;
    for accept in ["application/json", "text/event-stream"] {
        let mut stream = serving.connect().await;
        let post = Post::read_of("docs://run").header("accept", accept);
        soon(stream.write_all(&bytes(&post))).await.unwrap();
        soon(stream.shutdown()).await.unwrap();
        soon(runs.stopped.notified()).await;
        assert!(!read_all(&mut stream).await.contains("released"), "{}", modern());
    }
    assert_eq!((runs.cancelled(), runs.finished()), (2, 0));
    serving.stopped().await;
}
