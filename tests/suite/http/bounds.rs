//! The limits: bytes, time, and how many requests and streams may be open at once.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::pending;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use grange_core::{Limits, Server};
use grange_http::HttpService;
use http_body::{Body, Frame, SizeHint};
use tower_service::Service;

use super::answers::hold;
use super::drive::{Answer, Post, answered, note, running, server, service_with};

/// A body in pieces without an announced length; optionally stalls at the end.
#[derive(Default)]
struct Pieces {
    left: VecDeque<Bytes>,
    announced: u64,
    stalls: bool,
}

impl Body for Pieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match self.left.pop_front() {
            Some(piece) => Poll::Ready(Some(Ok(Frame::data(piece)))),
            None if self.stalls => Poll::Pending,
            None => Poll::Ready(None),
        }
    }

    fn size_hint(&self) -> SizeHint {
        let mut hint = SizeHint::new();
        hint.set_lower(self.announced);
        hint
    }
}

/// A modern read whose body is padded to this many bytes.
fn padded(length: usize) -> Post {
    let post = Post::read();
    let body = [&post.body[..], &b" ".repeat(length - post.body.len())[..]].concat();
    post.body(body)
}

fn pieces(body: &Bytes, size: usize) -> Pieces {
    Pieces { left: body.chunks(size).map(Bytes::copy_from_slice).collect(), ..Pieces::default() }
}

async fn send(service: &HttpService, post: Post, body: Pieces) -> Answer {
    Answer::of(answered(service.clone().call(post.with(body)).await)).await
}

fn limited(limits: Limits) -> HttpService {
    HttpService::new(server([note()], limits))
}

#[tokio::test]
async fn w5_14_the_body_limit_applies_while_the_body_arrives() {
    let service = limited(Limits { message_bytes: 1000, ..Limits::default() });
    for size in [1, 7, 999, 1000, 1001] {
        let exact = padded(1000);
        assert_eq!(send(&service, exact.clone(), pieces(&exact.body, size)).await.status, 200, "{size}");
        let over = padded(1001);
        let answer = send(&service, over.clone(), pieces(&over.body, size)).await;
        assert_eq!((answer.status, answer.code()), (413, -32600), "{size}");
        assert!(answer.message().contains("1000 bytes") && answer.message().contains("message_bytes"));
    }
    assert_eq!(padded(1000).send(&service).await.status, 200);
    assert_eq!(padded(1001).send(&service).await.status, 413);
    // A body with too long an announced length is rejected before it is read.
    let announced = Pieces { announced: 1001, stalls: true, ..Pieces::default() };
    assert_eq!(send(&service, Post::read(), announced).await.status, 413);
    let understated = Pieces { announced: 10, ..pieces(&padded(1001).body, 100) };
    assert_eq!(send(&service, Post::read(), understated).await.status, 413);
}

#[tokio::test(start_paused = true)]
async fn w5_14_a_body_must_arrive_in_time() {
    let check = async |service: HttpService, time: Duration| {
        let post = padded(600);
        let before = tokio::time::Instant::now();
        let answer = send(&service, post.clone(), Pieces { stalls: true, ..pieces(&post.body, 100) }).await;
        assert_eq!((answer.status, before.elapsed().as_millis()), (408, time.as_millis()));
        assert!(answer.message().contains(".read_timeout("), "{answer:?}");
    };
    check(limited(Limits::default()), Duration::from_secs(30)).await;
    let time = Duration::from_millis(50);
    check(service_with(|settings| settings.read_timeout(time)), time).await;
}

#[tokio::test]
async fn w5_14_a_broken_body_is_rejected() {
    struct Broken;
    impl Body for Broken {
        type Data = Bytes;
        type Error = &'static str;
        fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, &'static str>>> {
            Poll::Ready(Some(Err("reset")))
        }
    }
    let response = answered(limited(Limits::default()).call(Post::read().with(Broken)).await);
    let answer = Answer::of(response).await;
    assert_eq!((answer.status, answer.code()), (400, -32600));
}

#[tokio::test]
async fn w5_14_requests_in_flight_are_limited() {
    let limits = Limits { requests_in_flight: 2, ..Limits::default() };
    let service = HttpService::new(server([running(|_| pending()), note()], limits));
    let open = || Box::pin(Post::read_of("docs://run").send(&service));
    let (mut one, mut two) = (open(), open());
    for waiting in [&mut one, &mut two] {
        assert!(tokio::time::timeout(Duration::ZERO, waiting).await.is_err());
    }
    let answer = Post::read().send(&service.clone()).await;
    assert_eq!(answer.busy(), "requests_in_flight");
    assert!(answer.message().contains("(2 in flight)"), "{answer:?}");
    drop(one);
    assert_eq!(Post::read().send(&service).await.status, 200);
}

/// A body with this many bytes available; the rest never arrives.
fn unfinished(bytes: usize) -> Pieces {
    Pieces { left: [Bytes::from(vec![b' '; bytes])].into(), stalls: true, ..Pieces::default() }
}

#[tokio::test(start_paused = true)]
async fn w5_14_incomplete_bodies_do_not_delay_other_requests() {
    let limits = Limits { requests_in_flight: 1, service_bytes: 1000, ..Limits::default() };
    let service = HttpService::new(server([note()], limits));
    let send = |bytes| Box::pin(service.clone().call(Post::read().with(unfinished(bytes))));
    let mut slow: Vec<_> = (0..100).map(|_| send(4)).collect();
    for waiting in &mut slow {
        assert!(tokio::time::timeout(Duration::ZERO, waiting).await.is_err());
    }
    assert_eq!(Post::read().send(&service).await.status, 200, "they use no permit");
    // The total size of all bodies is limited.
    let mut long = send(600);
    assert!(tokio::time::timeout(Duration::ZERO, &mut long).await.is_err());
    assert_eq!(Answer::of(answered(send(600).await)).await.busy(), "service_bytes");
    drop(long);
    assert!(tokio::time::timeout(Duration::ZERO, &mut send(600)).await.is_err(), "the limit must be reached");
}

#[tokio::test(start_paused = true)]
async fn w5_14_held_streams_have_their_own_limit() {
    let limits = Limits { requests_in_flight: 1, streams: 2, ..Limits::default() };
    let service = limited(limits);
    let one = hold(&service, Post::listen()).await;
    let _two = hold(&service, Post::listen()).await;
    assert_eq!(Post::listen().send(&service).await.busy(), "streams");
    assert_eq!(Post::read().send(&service).await.status, 200);
    drop(one);
    drop(hold(&service, Post::listen()).await);
}

#[tokio::test(start_paused = true)]
async fn w5_14_a_request_has_a_time_limit_and_a_held_stream_has_none() {
    let limits = Limits { request_time: Duration::from_secs(5), ..Limits::default() };
    let builder = Server::builder("tests", "1.0.0").resource(running(|_| pending())).limits(limits);
    let service = HttpService::new(builder.on_error(|_, _| {}).build().unwrap());
    for accept in ["application/json", "text/event-stream"] {
        let before = tokio::time::Instant::now();
        let answer = Post::read_of("docs://run").header("accept", accept).send(&service).await;
        assert_eq!((answer.status, before.elapsed()), (200, Duration::from_secs(5)));
        assert!(String::from_utf8_lossy(&answer.body).contains("-32603"), "{answer:?}");
    }
    let mut held = hold(&service, Post::listen()).await;
    let before = tokio::time::Instant::now();
    while before.elapsed() < Duration::from_secs(3600) {
        assert_eq!(super::drive::next(&mut held).await.as_deref(), Some(":\n\n"));
    }
}
