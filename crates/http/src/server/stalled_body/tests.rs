//! Bodies that clients read, read slowly, or do not read.

use std::convert::Infallible;
use std::task::Waker;

use http_body_util::{BodyExt, Empty};
use hyper::server::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};

use super::super::connection_options::ConnectionOptions;
use super::super::socket::Writing;
use super::super::stall_monitor::StallMonitor;
use super::*;
use crate::byte_budget::ByteBudget;

const TIME: Duration = Duration::from_secs(30);

/// Bytes whose drop can be observed.
struct Observed {
    bytes: Vec<u8>,
    _alive: Arc<()>,
}

impl AsRef<[u8]> for Observed {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Budgets with room for everything.
fn account() -> Account {
    Account::of_service(Arc::new(ByteBudget::new(usize::MAX, "service_bytes")))
}

fn monitored(bodies: &OpenBodies, length: usize, alive: &Arc<()>) -> MonitoredBody {
    let held = Observed { bytes: (0..length).map(|at| at.to_le_bytes()[1]).collect(), _alive: alive.clone() };
    MonitoredBody { state: bodies.open(), bodies: bodies.clone(), account: account() }
        .of(ResponseBody::fixed([Bytes::from_owner(held)]), None)
}

fn monitor_of(bodies: &OpenBodies) -> StallMonitor {
    let options = ConnectionOptions { write_timeout: TIME, ..ConnectionOptions::default() };
    StallMonitor::new(bodies.clone(), Writing::default(), options)
}

fn task() -> Context<'static> {
    Context::from_waker(Waker::noop())
}

fn frame(monitored: &mut MonitoredBody) -> Poll<Option<Result<Frame<Bytes>, Stalled>>> {
    Pin::new(monitored).poll_frame(&mut task())
}

#[tokio::test(start_paused = true)]
async fn w5_14_a_body_that_is_not_read_in_time_is_dropped() {
    let (bodies, alive) = (OpenBodies::default(), Arc::new(()));
    let mut monitor = monitor_of(&bodies);
    let mut stalled = monitored(&bodies, 4, &alive);
    let mut taken = monitored(&bodies, 4, &Arc::default());
    assert!(matches!(frame(&mut taken), Poll::Ready(Some(Ok(_)))));
    for seconds in [0, 16, 13] {
        tokio::time::advance(Duration::from_secs(seconds)).await;
        let _ = monitor.poll(&mut task());
        assert_eq!(Arc::strong_count(&alive), 2, "it has its time");
    }
    tokio::time::advance(TIME).await;
    let _ = monitor.poll(&mut task());
    assert_eq!(Arc::strong_count(&alive), 1, "let go");
    assert!(matches!(frame(&mut stalled), Poll::Ready(Some(Err(Stalled)))));
    drop((stalled, taken));
    let _ = monitor.poll(&mut task());
    assert!(bodies.is_empty(), "nothing is left to look after");
}

#[tokio::test(start_paused = true)]
async fn a_body_without_data_is_never_stalled() {
    let bodies = OpenBodies::default();
    let quiet = monitored(&bodies, 4, &Arc::default());
    lock(&quiet.state.unsent).since = None;
    tokio::time::advance(Duration::from_secs(3600)).await;
    bodies.sweep(TIME);
    assert!(lock(&quiet.state.unsent).body.is_some());
}

/// A connection on which a client with a window of this size requests a response of one mebibyte, and a handle to the bytes of the
/// response.
async fn asked(window: u32) -> (Response<Incoming>, Arc<()>) {
    let (bodies, alive) = (OpenBodies::default(), Arc::new(()));
    let (near, far) = tokio::io::duplex(64 * 1024);
    let (kept, held, executor) = (bodies.clone(), alive.clone(), StreamExecutor(bodies.clone()));
    let service = hyper::service::service_fn(move |_| {
        let body = monitored(&bodies, 1024 * 1024, &held);
        async move { Ok::<_, Infallible>(Response::new(body)) }
    });
    tokio::spawn(async move {
        let mut connection = std::pin::pin!(
            http2::Builder::new(executor).timer(TokioTimer::new()).serve_connection(TokioIo::new(near), service)
        );
        let mut monitor = monitor_of(&kept);
        std::future::poll_fn(|cx| {
            let polled = connection.as_mut().poll(cx);
            let _ = monitor.poll(cx);
            polled
        })
        .await
    });
    let mut builder = hyper::client::conn::http2::Builder::new(TokioExecutor::new());
    builder.initial_stream_window_size(window);
    let (mut sender, connection) = builder.handshake(TokioIo::new(far)).await.expect("an HTTP/2 server");
    tokio::spawn(connection);
    let answer = sender.send_request(Request::new(Empty::<Bytes>::new())).await.expect("an answer");
    (answer, alive)
}

/// Advances the clock, and lets both ends run.
async fn pass(time: Duration) {
    for _ in 0..time.as_secs() {
        tokio::time::advance(Duration::from_secs(1)).await;
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn w5_14_a_client_that_gives_no_window_holds_up_nothing_but_itself() {
    for window in [0, 1, 1000, 40_000] {
        let (answer, alive) = asked(window).await;
        pass(TIME / 3).await;
        assert!(Arc::strong_count(&alive) > 2, "a window of {window}: it has its time");
        pass(TIME * 2).await;
        // The reference of the service, and the one of this test.
        assert_eq!(Arc::strong_count(&alive), 2, "a window of {window}");
        drop(answer);
    }
}

#[tokio::test(start_paused = true)]
async fn w5_14_the_end_of_an_answer_keeps_no_more_than_itself() {
    let (_answer, alive) = asked(1024 * 1024 - 10).await;
    pass(TIME / 3).await;
    assert_eq!(Arc::strong_count(&alive), 2, "ten bytes wait for the window, and not the whole");
}

#[tokio::test(start_paused = true)]
async fn w5_14_a_response_that_is_read_arrives_whole() {
    let (answer, _) = asked(1000).await;
    let body = answer.into_body().collect().await.expect("all of it").to_bytes();
    let expected: Vec<u8> = (0..1024 * 1024_usize).map(|at| at.to_le_bytes()[1]).collect();
    assert_eq!(body.len(), expected.len());
    assert!(body == expected);
}
