//! How long connections wait: for a request, for the rest of one, and during a shutdown.

use std::time::Duration;

use grange_core::Limits;
use grange_http::Http;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::drive::{Post, note, server};
use super::sockets::{SHORT, Serving, raw, read_all, soon};

/// Much longer than a test takes.
const LONG: Duration = Duration::from_secs(600);
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// An empty SETTINGS frame.
const SETTINGS: &[u8] = &[0, 0, 0, 4, 0, 0, 0, 0, 0];

/// The bytes of a whole request.
fn whole() -> Vec<u8> {
    let post = Post::read();
    raw(&post, "", post.body.len())
}

async fn serving(limits: Limits, configure: impl FnOnce(Http) -> Http) -> Serving {
    Serving::new(server([note()], limits), configure).await
}

/// Reads one response, which must be the note.
async fn answer(stream: &mut TcpStream) -> String {
    let mut text = String::new();
    while !text.contains("note\"") {
        let mut buffer = [0; 4096];
        let read = soon(stream.read(&mut buffer)).await.unwrap();
        assert!(read > 0, "ended: {text}");
        text.push_str(std::str::from_utf8(&buffer[..read]).unwrap());
    }
    text
}

/// A connection on which the server has received these bytes: a later request was answered.
async fn sent(serving: &Serving, bytes: &[u8]) -> TcpStream {
    let mut stream = serving.connect().await;
    stream.write_all(bytes).await.unwrap();
    assert_eq!(serving.send(Post::read(), "/mcp").await.text(), "note");
    stream
}

/// Waits until the server closes a connection on which only these bytes were sent.
async fn given_up(serving: &Serving, bytes: &[u8]) {
    let mut stream = serving.connect().await;
    stream.write_all(bytes).await.unwrap();
    read_all(&mut stream).await;
}

#[tokio::test]
async fn w5_14_the_time_between_requests_may_be_longer_than_that_for_a_head() {
    let serving = serving(Limits::default(), |http| http.read_timeout(SHORT)).await;
    let mut fresh = serving.connect().await;
    let mut idle = serving.connect().await;
    idle.write_all(&whole()).await.unwrap();
    answer(&mut idle).await;
    for half in [3, 40] {
        given_up(&serving, &whole()[..half]).await;
    }
    // More than twice the time for a head has passed.
    for stream in [&mut fresh, &mut idle] {
        stream.write_all(&whole()).await.unwrap();
        assert!(answer(stream).await.starts_with("HTTP/1.1 200 "));
    }
    // From its first byte on, the next head again has its own time limit.
    idle.write_all(&whole()[..40]).await.unwrap();
    assert_eq!(read_all(&mut idle).await, "");
    serving.stopped().await;
}

#[tokio::test]
async fn w5_14_idle_connections_and_partial_heads_have_their_own_time_limits() {
    let serving = serving(Limits::default(), |http| http.idle_timeout(SHORT).read_timeout(LONG)).await;
    let mut slow = serving.connect().await;
    slow.write_all(&whole()[..40]).await.unwrap();
    given_up(&serving, b"").await;
    let mut idle = serving.connect().await;
    idle.write_all(&whole()).await.unwrap();
    assert!(read_all(&mut idle).await.starts_with("HTTP/1.1 200 "));
    slow.write_all(&whole()[40..]).await.unwrap();
    assert!(answer(&mut slow).await.starts_with("HTTP/1.1 200 "));
    serving.stopped().await;
}

/// The time limit of a head is absolute, not per byte.
#[tokio::test]
async fn w5_14_a_head_that_arrives_byte_by_byte_has_the_same_time_limit() {
    let serving = serving(Limits::default(), |http| http.read_timeout(SHORT)).await;
    let mut stream = serving.connect().await;
    stream.write_all(b"POST /mcp HTTP/1.1\r\nx-long: ").await.unwrap();
    soon(async {
        loop {
            let mut buffer = [0];
            match timeout(Duration::from_millis(2), stream.read(&mut buffer)).await {
                Ok(Ok(0) | Err(_)) => return,
                Ok(Ok(_)) => panic!("half a head is not answered"),
                Err(_) if stream.write_all(b"x").await.is_err() => return,
                Err(_) => {}
            }
        }
    })
    .await;
    serving.stopped().await;
}

#[tokio::test]
async fn w5_13_an_incomplete_head_does_not_delay_the_shutdown() {
    let whole = whole();
    let hello = [&[0x16, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3][..], &[7; 64]].concat();
    let unheard = [PREFACE, SETTINGS].concat();
    let half_frame = [PREFACE, SETTINGS, &[0, 0, 40, 1, 4, 0, 0, 0, 1, 0x83]].concat();
    let behind = [&whole[..], &whole[..60]].concat();
    for (what, bytes) in [
        ("nothing", &b""[..]),
        ("a byte", b"P"),
        ("an empty line", b"\r\n"),
        ("half a request line", &whole[..8]),
        ("half a head", &whole[..60]),
        ("half a head behind a request", &behind),
        ("half a preface", &PREFACE[..16]),
        ("a preface", PREFACE),
        ("a preface of a client that confirms nothing", &unheard),
        ("half a frame", &half_frame),
        ("the beginning of TLS", &hello),
    ] {
        let limits = Limits { shutdown_grace: LONG, ..Limits::default() };
        let serving = serving(limits, |http| http.read_timeout(LONG).idle_timeout(LONG)).await;
        let stream = sent(&serving, bytes).await;
        serving.stop.notify_one();
        let ended = timeout(Duration::from_secs(10), serving.task).await;
        ended.unwrap_or_else(|_| panic!("{what} holds up the shutdown")).unwrap().unwrap();
        drop(stream);
    }
}

#[tokio::test]
async fn w5_13_a_partial_body_may_arrive_until_its_deadline_or_the_end_of_the_grace_period() {
    let post = Post::read();
    let (head, last) = (whole().len() - post.body.len(), whole().len() - 1);
    for half in [head, last] {
        // The deadline of the body is first.
        let limits = Limits { shutdown_grace: LONG, ..Limits::default() };
        let deadline = serving(limits.clone(), |http| http.read_timeout(SHORT)).await;
        let mut stream = sent(&deadline, &whole()[..half]).await;
        deadline.stopped().await;
        assert!(read_all(&mut stream).await.starts_with("HTTP/1.1 408 "), "{half}");
        // The grace period is first.
        let limits = Limits { shutdown_grace: SHORT, ..Limits::default() };
        let grace = serving(limits, |http| http.read_timeout(LONG)).await;
        let stream = sent(&grace, &whole()[..half]).await;
        grace.stopped().await;
        drop(stream);
        // The rest of the body is first, and is answered.
        let limits = Limits { shutdown_grace: LONG, ..Limits::default() };
        let patient = serving(limits, |http| http.read_timeout(LONG)).await;
        let mut stream = sent(&patient, &whole()[..half]).await;
        patient.stop.notify_one();
        soon(async { while TcpStream::connect(patient.address).await.is_ok() {} }).await;
        assert!(!patient.task.is_finished());
        stream.write_all(&whole()[half..]).await.unwrap();
        assert!(read_all(&mut stream).await.starts_with("HTTP/1.1 200 "), "{half}");
        soon(patient.task).await.unwrap().unwrap();
    }
}
