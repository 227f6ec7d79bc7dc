//! Answers that are read slowly or not at all, connections of HTTP/2 without a stream, and heads of many fields.

use std::sync::Arc;
use std::time::Duration;

use grange_core::{Limits, Resource};
use grange_http::{Http, HttpService};
use http_body_util::BodyExt;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{interval, timeout};
use tower_service::Service;

use super::drive::{Answer, Post, Silent, answered, note, server};
use super::frames::{Frames, HEADERS, PING, RST_STREAM, frame, request};
use super::lifetime::{Runs, waiting};
use super::sockets::{SHORT, Serving, raw, read_all, request2, soon};

/// Much longer than a test takes.
const LONG: Duration = Duration::from_secs(600);
/// More than a client and a server keep of what is not read.
const LARGE: usize = 16 * 1024 * 1024;

fn text(name: &'static str, length: usize) -> Resource {
    Resource::builder().uri(format!("docs://{name}")).name(name).text("x".repeat(length)).build()
}

async fn serving(limits: Limits, configure: impl FnOnce(Http) -> Http) -> Serving {
    Serving::new(server([note(), text("large", LARGE), text("medium", 100_000)], limits), configure).await
}

fn bytes(post: &Post) -> Vec<u8> {
    raw(post, "", post.body.len())
}

/// A connection whose client keeps little of what it does not read.
async fn narrow(serving: &Serving) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(64 * 1024).unwrap();
    socket.connect(serving.address).await.unwrap()
}

/// In the time for a write, the client reads a part of what the system would keep for it.
#[tokio::test]
async fn w5_14_a_client_that_reads_slowly_all_the_time_gets_its_whole_answer() {
    let time = Duration::from_secs(1);
    let serving = serving(Limits::default(), |http| http.write_timeout(time)).await;
    for accept in ["application/json", "text/event-stream"] {
        let mut stream = narrow(&serving).await;
        let post = Post::read_of("docs://large").header("accept", accept).header("connection", "close");
        soon(stream.write_all(&bytes(&post))).await.unwrap();
        let (mut pace, mut read, mut buffer) = (interval(Duration::from_millis(20)), 0, vec![0; 8 * 1024]);
        for _ in 0..125 {
            pace.tick().await;
            read += soon(stream.read(&mut buffer)).await.unwrap();
        }
        read += read_all(&mut stream).await.len();
        assert!(read > LARGE, "{accept}: {read}");
    }
    serving.stopped().await;
}

#[tokio::test]
async fn w5_14_a_stream_that_is_not_read_in_time_is_reset() {
    let serving = serving(Limits::default(), |http| http.write_timeout(SHORT)).await;
    for accept in ["application/json", "text/event-stream"] {
        let size = Post::read_of("docs://medium").header("accept", accept);
        let size = u32::try_from(serving.send(size, "/mcp").await.body.len()).unwrap();
        for window in [0, 1, 1000, 40_000, size - 20_000, size - 300, size - 1] {
            let mut client = Frames::open(&serving, window).await;
            client.send(&request(1, &Post::read_of("docs://medium").header("accept", accept))).await;
            client.until(HEADERS, 1).await;
            client.until(RST_STREAM, 1).await;
            // The connection goes on.
            client.send(&request(3, &Post::read())).await;
            client.until(HEADERS, 3).await;
        }
    }
    serving.stopped().await;
}

#[tokio::test]
async fn w5_14_an_http2_connection_without_a_stream_is_closed_after_the_idle_time() {
    let serving = serving(Limits::default(), |http| http.idle_timeout(SHORT).read_timeout(LONG)).await;
    // Silent from the beginning, after a request, with half a frame, and after a request that was reset.
    let half = &frame(HEADERS, 4, 1, &[0; 100])[..50];
    let reset = [request(1, &Post::read()), frame(RST_STREAM, 0, 1, &[0, 0, 0, 8])].concat();
    for sent in [&b""[..], &request(1, &Post::read()), half, &reset] {
        let mut client = Frames::open(&serving, 65_535).await;
        client.send(sent).await;
        while client.next().await.is_some() {}
    }
    serving.stopped().await;
}

#[tokio::test]
async fn w5_14_pings_do_not_keep_an_http2_connection() {
    let serving = serving(Limits::default(), |http| http.idle_timeout(SHORT)).await;
    let mut client = Frames::open(&serving, 65_535).await;
    let ping = frame(PING, 0, 0, &[7; 8]);
    soon(async {
        let mut pace = interval(Duration::from_millis(5));
        while client.0.write_all(&ping).await.is_ok() {
            pace.tick().await;
        }
    })
    .await;
    serving.stopped().await;
}

#[tokio::test]
async fn w5_14_an_http2_connection_with_an_open_stream_is_not_idle() {
    let runs = Arc::new(Runs::default());
    let configure = |http: Http| http.idle_timeout(SHORT);
    let serving = Serving::new(server([waiting(&runs), note()], Limits::default()), configure).await;
    let mut client = serving.http2().await;
    let open = request2(Post::read_of("docs://run"), &serving.address.to_string());
    let open = tokio::spawn(client.send_request(open));
    soon(runs.started.notified()).await;
    // Others are idle for too long meanwhile, one after the other.
    for _ in 0..3 {
        let mut other = Frames::open(&serving, 65_535).await;
        while other.next().await.is_some() {}
    }
    runs.release.notify_one();
    let answer = Answer::of(soon(open).await.unwrap().unwrap()).await;
    assert_eq!(answer.text(), "released");
    serving.stopped().await;
}

/// Shuts down, and fails if that takes much longer than a client without a sign of life is waited for.
async fn ends_early(serving: Serving, what: &str) {
    serving.stop.notify_one();
    let ended = timeout(Duration::from_secs(15), serving.task).await;
    ended.unwrap_or_else(|_| panic!("{what} holds up the shutdown")).unwrap().unwrap();
}

/// Over HTTP/1.
async fn ends_with_unread_answer(post: Post) {
    let limits = Limits { shutdown_grace: LONG, ..Limits::default() };
    let serving = serving(limits, |http| http.write_timeout(LONG)).await;
    let mut stream = serving.connect().await;
    soon(stream.write_all(&bytes(&post))).await.unwrap();
    soon(stream.readable()).await.unwrap();
    ends_early(serving, "HTTP/1").await;
}

/// Over HTTP/2: the stream has this window.
async fn ends_with_unread_stream(window: u32) {
    let limits = Limits { shutdown_grace: LONG, ..Limits::default() };
    let serving = serving(limits, |http| http.write_timeout(LONG)).await;
    let mut client = Frames::open(&serving, window).await;
    client.send(&[request(1, &Post::read_of("docs://large")), request(3, &Post::read())].concat()).await;
    client.until(HEADERS, 1).await;
    ends_early(serving, &format!("a window of {window}")).await;
}

#[tokio::test]
async fn w5_13_a_client_that_does_not_read_does_not_hold_up_the_shutdown() {
    let post = Post::read_of("docs://large");
    tokio::join!(
        ends_with_unread_answer(post.clone()),
        ends_with_unread_answer(post.header("accept", "text/event-stream")),
        ends_with_unread_stream(0),
        ends_with_unread_stream(1000),
        ends_with_unread_stream(u32::MAX / 2),
    );
}

#[tokio::test]
async fn w5_13_a_client_that_reads_gets_its_whole_answer_during_a_shutdown() {
    let serving = serving(Limits { shutdown_grace: LONG, ..Limits::default() }, |http| http).await;
    let here = serving.address.to_string();
    let mut stream = narrow(&serving).await;
    soon(stream.write_all(&bytes(&Post::read_of("docs://large")))).await.unwrap();
    let mut client = serving.http2().await;
    let response = soon(client.send_request(request2(Post::read_of("docs://large"), &here))).await.unwrap();
    serving.stop.notify_one();
    let (mut pace, mut read, mut buffer) = (interval(Duration::from_millis(20)), 0, vec![0; 8 * 1024]);
    for _ in 0..100 {
        pace.tick().await;
        read += soon(stream.read(&mut buffer)).await.unwrap();
    }
    let whole = soon(response.into_body().collect()).await.unwrap().to_bytes();
    read += read_all(&mut stream).await.len();
    assert!(whole.len() > LARGE && read > LARGE, "{} {read}", whole.len());
    soon(serving.task).await.unwrap().unwrap();
}

#[tokio::test]
async fn w5_14_a_head_of_many_fields_is_rejected_over_http1_and_http2() {
    let serving = serving(Limits::default(), |http| http).await;
    let here = serving.address.to_string();
    let same = |count| (0..count).fold(Post::read(), |post, _| post.line("x", ""));
    let others = |count| (0..count).fold(Post::read(), |post, at| post.header(&format!("x-{at}"), "1"));
    let mut client = serving.http2().await;
    for (post, status) in [(same(1800), 431), (same(101), 431), (others(101), 431), (same(80), 200), (others(80), 200)]
    {
        let response = soon(client.send_request(request2(post, &here))).await.unwrap();
        assert_eq!(response.status(), status);
    }
    for (post, status) in [(same(101), 431), (same(80), 200)] {
        let mut stream = serving.connect().await;
        soon(stream.write_all(&bytes(&post.header("connection", "close")))).await.unwrap();
        assert!(read_all(&mut stream).await.starts_with(&format!("HTTP/1.1 {status} ")));
    }
    serving.stopped().await;
}

#[tokio::test(start_paused = true)]
async fn w5_14_the_heads_of_requests_that_wait_for_their_bodies_have_a_budget() {
    let limits = Limits { requests_in_flight: 1, service_bytes: 64 * 1024 * 1024, ..Limits::default() };
    let service = HttpService::new(server([note()], limits));
    let head = |bytes| Post::read().header("x-long", vec![b'x'; bytes]);
    for mebibytes in [1, 4] {
        let large = head(mebibytes * 1024 * 1024);
        let send = || Box::pin(service.clone().call(large.clone().with(Silent)));
        let mut waiting: Vec<_> = (0..63 / mebibytes).map(|_| send()).collect();
        for each in &mut waiting {
            assert!(timeout(Duration::ZERO, each).await.is_err());
        }
        assert_eq!(Answer::of(answered(send().await)).await.busy(), "service_bytes");
        assert_eq!(large.clone().send(&service).await.status, 200, "a whole request does not wait");
        waiting.pop();
        assert!(timeout(Duration::ZERO, &mut send()).await.is_err(), "its bytes are returned");
    }
    assert_eq!(Post::legacy("ping", &json!({})).send(&service).await.status, 200);
}
