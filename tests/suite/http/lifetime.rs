//! How requests end: the client disconnects, or the server shuts down.

use std::future::pending;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use grange_core::{Context, Limits, Resource, Server};
use grange_http::HttpService;
use serde_json::json;
use tokio::sync::Notify;
use tokio::time::timeout;

use super::answers::hold;
use super::drive::{Post, events, next, running};

/// Counts how the runs of one reader ended.
#[derive(Default)]
pub(super) struct Runs {
    pub(super) started: Notify,
    pub(super) stopped: Notify,
    pub(super) release: Notify,
    cancelled: AtomicUsize,
    finished: AtomicUsize,
}

impl Runs {
    pub(super) fn cancelled(&self) -> usize {
        self.cancelled.load(Ordering::SeqCst)
    }

    pub(super) fn finished(&self) -> usize {
        self.finished.load(Ordering::SeqCst)
    }
}

/// Records the end of a run of any kind.
struct Run(Arc<Runs>, Context);

impl Drop for Run {
    fn drop(&mut self) {
        if self.1.is_cancelled() {
            self.0.cancelled.fetch_add(1, Ordering::SeqCst);
        }
        self.0.stopped.notify_one();
    }
}

/// A reader that waits for `release`.
pub(super) fn waiting(runs: &Arc<Runs>) -> Resource {
    let runs = runs.clone();
    running(move |cx| {
        let run = Run(runs.clone(), cx);
        async move {
            run.0.started.notify_one();
            run.0.release.notified().await;
            run.0.finished.fetch_add(1, Ordering::SeqCst);
            Ok("released")
        }
    })
}

fn service(runs: &Arc<Runs>) -> HttpService {
    let builder = Server::builder("tests", "1.0.0").resource(waiting(runs));
    HttpService::new(builder.on_error(|failure, _| panic!("unexpected failure: {failure}")).build().unwrap())
}

/// Starts a read and drops it while its reader runs.
async fn abandon(service: &HttpService, runs: &Runs, post: Post) {
    let mut request = pin!(post.send(service));
    assert!(timeout(Duration::ZERO, &mut request).await.is_err());
    runs.started.notified().await;
}

#[tokio::test(start_paused = true)]
async fn w5_6_a_dropped_connection_cancels_a_modern_request() {
    let runs = Arc::new(Runs::default());
    let service = service(&runs);
    abandon(&service, &runs, Post::read_of("docs://run")).await;
    runs.stopped.notified().await;
    assert_eq!((runs.cancelled(), runs.finished()), (1, 0));
    // The same in the middle of a stream.
    let post = Post::read_of("docs://run").header("accept", "text/event-stream");
    let mut body = post.open(&service).await.into_body();
    assert_eq!(next(&mut body).await.as_deref(), Some(":\n\n"));
    drop(body);
    runs.stopped.notified().await;
    assert_eq!((runs.cancelled(), runs.finished()), (2, 0));
}

#[tokio::test(start_paused = true)]
async fn w5_6_a_dropped_connection_lets_a_legacy_request_finish() {
    let runs = Arc::new(Runs::default());
    let service = service(&runs);
    let read = || Post::legacy("resources/read", &json!({ "uri": "docs://run" }));
    abandon(&service, &runs, read()).await;
    runs.release.notify_one();
    runs.stopped.notified().await;
    assert_eq!((runs.cancelled(), runs.finished()), (0, 1));
    let mut body = read().header("accept", "text/event-stream").open(&service).await.into_body();
    assert_eq!(next(&mut body).await.as_deref(), Some(":\n\n"));
    drop(body);
    runs.release.notify_one();
    runs.stopped.notified().await;
    assert_eq!((runs.cancelled(), runs.finished()), (0, 2));
}

#[tokio::test(start_paused = true)]
async fn w5_6_a_request_without_a_client_keeps_its_permit_and_its_deadline() {
    let runs = Arc::new(Runs::default());
    let limits = Limits { requests_in_flight: 1, request_time: Duration::from_secs(5), ..Limits::default() };
    let builder = Server::builder("tests", "1.0.0").resource(waiting(&runs)).limits(limits).on_error(|_, _| {});
    let service = HttpService::new(builder.build().unwrap());
    abandon(&service, &runs, Post::legacy("resources/read", &json!({ "uri": "docs://run" }))).await;
    let ping = || Post::legacy("ping", &json!({}));
    assert_eq!(ping().send(&service).await.status, 503);
    let before = tokio::time::Instant::now();
    runs.stopped.notified().await;
    assert_eq!((runs.cancelled(), before.elapsed()), (1, Duration::from_secs(5)));
    tokio::task::yield_now().await;
    assert_eq!(ping().send(&service).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn w3_11_a_cancellation_over_http_is_accepted_and_stops_no_request() {
    let runs = Arc::new(Runs::default());
    let service = service(&runs);
    let mut request = pin!(Post::read_of("docs://run").send(&service));
    assert!(timeout(Duration::ZERO, &mut request).await.is_err());
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    for post in [
        Post::of(cancel.to_string()),
        Post::of(cancel.to_string()).header("mcp-protocol-version", super::drive::modern()),
    ] {
        assert_eq!(post.send(&service).await.status, 202);
    }
    runs.release.notify_one();
    assert_eq!(request.await.text(), "released");
    assert_eq!(runs.cancelled(), 0);
}

#[tokio::test(start_paused = true)]
async fn w5_13_an_embedding_application_can_end_the_held_streams() {
    let runs = Arc::new(Runs::default());
    let service = service(&runs);
    let mut held = hold(&service, Post::listen()).await;
    let mut request = pin!(Post::read_of("docs://run").send(&service));
    assert!(timeout(Duration::ZERO, &mut request).await.is_err());
    service.clone().end_streams();
    let mut rest = String::new();
    while let Some(piece) = next(&mut held).await {
        rest.push_str(&piece);
    }
    let rest = events(&rest);
    assert_eq!((rest[0]["id"].as_i64(), &rest[0]["result"]["resultType"]), (Some(1), &json!("complete")), "{rest:?}");
    assert_eq!((rest.len(), &rest[1]["method"]), (2, &json!("notifications/cancelled")));
    // Later streams end in the same way, and running requests continue.
    let late = Post::listen().send(&service).await.events();
    assert_eq!((late.len(), &late[1]["result"]["resultType"]), (3, &json!("complete")), "{late:?}");
    runs.release.notify_one();
    assert_eq!(request.await.text(), "released");
}

/// Outside a runtime no task can be spawned, so the drop is a cancellation and not a panic.
#[test]
fn a_response_may_be_dropped_outside_a_runtime() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let service = HttpService::new(super::drive::server([running(|_| pending())], Limits::default()));
    let post = Post::legacy("resources/read", &json!({ "uri": "docs://run" }));
    let mut request = Box::pin(post.send(&service));
    runtime.block_on(async { assert!(timeout(Duration::ZERO, &mut request).await.is_err()) });
    drop(runtime);
    drop(request);
}
