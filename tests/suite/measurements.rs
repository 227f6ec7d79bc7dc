//! Metrics of requests, streams, sessions and rejections, as an operator's store gets them.

// Helpers panic to fail a test, as the tests themselves do.
#![allow(clippy::unwrap_used, reason = "what cannot be unwrapped here fails the test")]

use std::fmt::Display;
use std::time::Duration;

use bytes::Bytes;
use grange_core::{Connection, Limits, ReadError, Resource, Revision, Server, Tool};
use grange_http::HttpService;
use http::Method;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use serde_json::json;

use crate::http::drive::{Post, modern, next, note, running, server};
use crate::http::sockets::Serving;

/// The metrics of this thread.
pub(crate) struct Counted(PrometheusHandle);

impl Counted {
    /// Records until the guard is dropped. The recorder is leaked, since the guard may outlive any owner.
    pub(crate) fn new() -> (Self, metrics::LocalRecorderGuard<'static>) {
        let recorder = Box::leak(Box::new(PrometheusBuilder::new().build_recorder()));
        let handle = recorder.handle();
        (Self(handle), metrics::set_default_local_recorder(recorder))
    }

    /// The sample with this name and these labels, in any order.
    fn sample(&self, name: &str, labels: &[(&str, &str)]) -> Option<String> {
        let text = self.0.render();
        let wanted = labels.iter().map(|(name, value)| format!("{name}=\"{value}\"")).collect::<Vec<_>>();
        let mut found = text.lines().filter(|line| {
            let end = line.find(['{', ' ']).unwrap_or(line.len());
            line[..end] == *name && wanted.iter().all(|label| line.contains(label.as_str()))
        });
        let value = found.next()?.rsplit_once(' ').unwrap().1.to_owned();
        assert!(found.next().is_none(), "{name} {labels:?} is ambiguous:\n{text}");
        Some(value)
    }

    /// All samples, as text.
    pub(crate) fn text(&self) -> String {
        self.0.render()
    }

    #[track_caller]
    pub(crate) fn check(&self, name: &str, labels: &[(&str, &str)], expected: impl Display) {
        let found = self.sample(name, labels);
        assert_eq!(found.as_deref().unwrap_or("0"), expected.to_string(), "{name} {labels:?}\n{}", self.0.render());
    }
}

fn counted() -> Server {
    let failing = Resource::builder().uri("docs://failing").name("failing");
    let failing = failing.read(|_| async { Err::<&str, _>(ReadError::from("hunter2")) });
    let own = Resource::builder().uri("docs://own").name("own");
    let own = own.read(|_| async { Err::<&str, _>(ReadError::public(-7, "out of paper")) });
    let slow = running(|_| async {
        tokio::time::sleep(Duration::from_millis(1500)).await;
        Ok("slow")
    });
    let echo = Tool::builder().name("echo").call_without_arguments(|_| async { Ok("echo") });
    let resources = [note(), failing.build(), own.build(), slow];
    let limits = Limits { streams: 1, ..Limits::default() };
    Server::builder("tests", "1.0.0")
        .resources(resources)
        .tool(echo)
        .limits(limits)
        .on_error(|_, _| {})
        .build()
        .unwrap()
}

fn legacy(method: &str) -> Post {
    Post::legacy(method, &json!({})).header("mcp-protocol-version", Revision::V2025_06_18.name())
}

#[tokio::test]
async fn requests_are_counted_by_outcome() {
    let service = HttpService::new(counted());
    let (counted, _guard) = Counted::new();
    let echo = Post::modern("tools/call", json!({ "name": "echo", "arguments": {} })).header("mcp-name", "echo");
    for (post, method, revision, outcome, code) in [
        (Post::read(), "resources/read", modern(), "ok", ""),
        (echo, "tools/call", modern(), "ok", ""),
        (Post::read_of("docs://none"), "resources/read", modern(), "error", "-32602"),
        (Post::read_of("docs://failing"), "resources/read", modern(), "error", "-32603"),
        (Post::read_of("docs://own"), "resources/read", modern(), "error", "application"),
        (Post::modern("made/up", json!({})), "unknown", modern(), "error", "-32601"),
        (legacy("ping"), "ping", Revision::V2025_06_18.name(), "ok", ""),
    ] {
        let labels = [("method", method), ("revision", revision), ("outcome", outcome), ("code", code)];
        assert_eq!(counted.sample("grange_requests_total", &labels), None);
        post.send(&service).await;
        counted.check("grange_requests_total", &labels, 1);
    }
    let text = counted.text();
    for private in ["hunter2", "docs://", "made/up", "out of paper"] {
        assert!(!text.contains(private), "{private} is no label:\n{text}");
    }
}

#[tokio::test]
async fn byte_counts_are_those_of_the_messages() {
    let service = HttpService::new(counted());
    let (counted, _guard) = Counted::new();
    let read = Post::read();
    let received = read.body.len();
    let sent = read.send(&service).await.body.len();
    counted.check("grange_received_bytes_total", &[], received);
    counted.check("grange_sent_bytes_total", &[], sent);
    // A rejected message is not a request.
    Post::of("no message").send(&service).await;
    counted.check("grange_received_bytes_total", &[], received);
}

#[tokio::test(start_paused = true)]
async fn durations_end_with_the_last_message() {
    let service = HttpService::new(counted());
    let (counted, _guard) = Counted::new();
    Post::read_of("docs://run").send(&service).await;
    let labels = [("method", "resources/read"), ("outcome", "ok")];
    counted.check("grange_request_seconds_count", &labels, 1);
    counted.check("grange_request_seconds_sum", &labels, 1.5);
}

#[tokio::test]
async fn an_abandoned_request_is_counted_as_cancelled() {
    let pending = running(|_| async { std::future::pending::<Result<&str, ReadError>>().await });
    let service = HttpService::new(Server::builder("tests", "1.0.0").resource(pending).build().unwrap());
    let (counted, _guard) = Counted::new();
    {
        let mut request = Box::pin(Post::read_of("docs://run").open(&service));
        assert!(poll_once(request.as_mut()).is_pending());
        counted.check("grange_http_requests_in_flight", &[], 1);
    }
    counted.check("grange_http_requests_in_flight", &[], 0);
    counted.check("grange_requests_total", &[("outcome", "cancelled")], 1);
}

fn poll_once<F: Future>(future: std::pin::Pin<&mut F>) -> std::task::Poll<F::Output> {
    future.poll(&mut std::task::Context::from_waker(std::task::Waker::noop()))
}

#[tokio::test]
async fn rejections_are_counted_by_reason() {
    let service = HttpService::new(counted());
    let (counted, _guard) = Counted::new();
    for (post, reason, code) in [
        (Post::read().header("host", "evil.example"), "host", ""),
        (Post::read().header("origin", "https://evil.example"), "origin", ""),
        (Post::read().method(Method::PUT), "method", ""),
        (Post::of("no message"), "message", "-32700"),
        (Post::read().header("mcp-method", "other"), "message", "-32020"),
    ] {
        post.send(&service).await;
        counted.check("grange_rejections_total", &[("reason", reason), ("code", code)], 1);
    }
    counted.check("grange_requests_total", &[("outcome", "ok")], 0);
}

#[tokio::test]
async fn gauges_count_open_streams_and_sessions() {
    let service = HttpService::builder(counted()).sessions().build().unwrap();
    let (counted, _guard) = Counted::new();
    let mut held = Post::listen().open(&service).await.into_body();
    assert!(next(&mut held).await.is_some());
    counted.check("grange_http_streams", &[], 1);
    assert_eq!(Post::listen().send(&service).await.status, 503);
    counted.check("grange_rejections_total", &[("reason", "too_many_streams")], 1);
    counted.check("grange_http_streams", &[], 1);
    drop(held);
    counted.check("grange_http_streams", &[], 0);
    counted.check("grange_requests_total", &[("method", "subscriptions/listen"), ("outcome", "cancelled")], 2);
    let id = open_session(&service).await;
    counted.check("grange_http_sessions", &[], 1);
    let end = Post::of("").method(Method::DELETE).header("mcp-session-id", &id);
    assert_eq!(end.send(&service).await.status, 204);
    counted.check("grange_http_sessions", &[], 0);
}

async fn open_session(service: &HttpService) -> Bytes {
    let params =
        json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    let answer = Post::legacy("initialize", &params).send(service).await;
    Bytes::copy_from_slice(answer.headers["mcp-session-id"].as_bytes())
}

#[tokio::test]
async fn a_gauge_counts_open_connections() {
    let (counted, _guard) = Counted::new();
    let serving = Serving::new(server([note()], Limits::default()), |http| http).await;
    let connection = serving.http1().await;
    serving.send(Post::read(), "/mcp").await;
    assert!(counted.sample("grange_http_connections", &[]).is_some_and(|open| open != "0"));
    drop(connection);
    serving.stopped().await;
    counted.check("grange_http_connections", &[], 0);
}

#[test]
fn a_pipe_has_the_same_metrics() {
    let mut connection = Connection::new(counted());
    let (counted, _guard) = Counted::new();
    connection.handle_frame(&Post::legacy("ping", &json!({})).body);
    while connection.poll_action().is_some() {}
    counted.check("grange_requests_total", &[("method", "ping"), ("outcome", "ok")], 1);
}

#[test]
fn every_metric_can_be_described() {
    let (counted, _guard) = Counted::new();
    grange_core::describe_metrics();
    grange_http::describe_metrics();
    metrics::counter!("grange_rejections_total", "reason" => "host").increment(1);
    let text = counted.text();
    assert!(text.contains("# HELP grange_rejections_total Requests that were rejected"), "{text}");
}
