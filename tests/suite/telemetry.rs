//! Telemetry: the span of a request, and events.

// Helpers panic to fail a test, as the tests themselves do.
#![allow(clippy::unwrap_used, reason = "what cannot be unwrapped here fails the test")]

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use grange_core::{Connection, Limits, ReadError, Resource, Revision, Server, Tool};
use grange_http::HttpService;
use http::Method;
use serde_json::json;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;

use crate::http::drive::{CAPABILITIES_KEY, NOTE, Post, VERSION_KEY, next, note, running, server};

type Fields = BTreeMap<String, String>;

/// The closed spans, the events with their spans, the fields of rejections, and the addresses of servers.
#[derive(Clone, Default)]
struct Recorder {
    spans: Arc<Mutex<Vec<Fields>>>,
    events: Arc<Mutex<Vec<String>>>,
    rejections: Arc<Mutex<Vec<Fields>>>,
    addresses: Arc<Mutex<Vec<Fields>>>,
}

struct Recorded(Fields);

impl Visit for Recorded {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.to_owned());
    }
}

impl<S: tracing::Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Recorder {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut seen = Recorded(Fields::new());
        seen.0
            .insert("span".to_owned(), format!("{} {}", attributes.metadata().target(), attributes.metadata().name()));
        attributes.record(&mut seen);
        context.span(id).unwrap().extensions_mut().insert(seen);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        values.record(context.span(id).unwrap().extensions_mut().get_mut::<Recorded>().unwrap());
    }

    fn on_event(&self, event: &tracing::Event<'_>, context: Context<'_, S>) {
        let mut seen = Recorded(Fields::new());
        event.record(&mut seen);
        let message = &seen.0["message"];
        if message.starts_with("rejected") {
            self.rejections.lock().unwrap().push(seen.0);
        } else if message == "listening" {
            self.addresses.lock().unwrap().push(seen.0);
        }
        let inside = context.event_span(event).map_or("outside", |span| span.name());
        self.events.lock().unwrap().push(format!("{} in {inside}", event.metadata().target()));
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let seen = context.span(&id).unwrap().extensions_mut().remove::<Recorded>().unwrap();
        self.spans.lock().unwrap().push(seen.0);
    }
}

impl Recorder {
    /// Records the telemetry of this thread until the guard is dropped.
    fn new() -> (Self, tracing::subscriber::DefaultGuard) {
        let recorder = Self::default();
        let guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(recorder.clone()));
        (recorder, guard)
    }

    /// The only closed span.
    #[track_caller]
    fn one(&self) -> Fields {
        let spans = std::mem::take(&mut *self.spans.lock().unwrap());
        let [span] = &spans[..] else { panic!("not one span: {spans:?}") };
        span.clone()
    }

    /// The same without the duration, which depends on a real clock.
    #[track_caller]
    fn one_timed(&self) -> Fields {
        let mut span = self.one();
        let took = span.remove("duration_ms").expect("the driver has a clock");
        assert!(took.parse::<f64>().is_ok_and(|took| (0.0..20_000.0).contains(&took)), "{took} ms");
        span
    }
}

fn expected(fields: &[(&str, &str)]) -> Fields {
    let method = fields.iter().find(|(name, _)| *name == "method").map_or("", |(_, method)| *method);
    let name = if method == "no/such" { "unknown" } else { method };
    let common = [("span", "grange request"), ("otel.kind", "server"), ("otel.name", name)];
    let all = common.iter().chain(fields);
    all.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn watched() -> Server {
    let told = Resource::builder().uri("docs://told").name("told").read(|_| async {
        tracing::info!("in the reader");
        tokio::task::yield_now().await;
        tracing::info!("after a wait");
        Ok("told")
    });
    let failing = Resource::builder().uri("docs://failing").name("failing");
    let failing = failing.read(|_| async { Err::<&str, _>(ReadError::from("password=hunter2")) });
    let pending = Resource::builder().uri("docs://pending").name("pending");
    let pending = pending.read(|_| async { std::future::pending::<Result<&str, ReadError>>().await });
    let echo = Tool::builder().name("echo").call_without_arguments(|_| async { Ok("secret") });
    let resources = [note(), told.build(), failing.build(), pending.build()];
    Server::builder("tests", "1.0.0").resources(resources).tool(echo).on_error(|_, _| {}).build().unwrap()
}

const MODERN: &str = "2026-07-28";

#[tokio::test]
async fn a_request_is_one_span_with_its_target_and_outcome() {
    let service = HttpService::new(watched());
    let (recorder, _guard) = Recorder::new();
    let check = async |post: Post, fields: &[(&str, &str)]| {
        post.send(&service).await;
        assert_eq!(recorder.one_timed(), expected(fields));
    };
    let read = ("method", "resources/read");
    let modern = ("revision", MODERN);
    check(Post::read(), &[read, modern, ("uri", NOTE), ("outcome", "ok")]).await;
    check(Post::read_of("docs://told"), &[read, modern, ("uri", "docs://told"), ("outcome", "ok")]).await;
    let missing = [read, modern, ("uri", "docs://none"), ("outcome", "error"), ("code", "-32602")];
    check(Post::read_of("docs://none"), &missing).await;
    let failing = [read, modern, ("uri", "docs://failing"), ("outcome", "error"), ("code", "-32603")];
    check(Post::read_of("docs://failing"), &failing).await;
    let call = Post::modern("tools/call", json!({ "name": "echo", "arguments": {} })).header("mcp-name", "echo");
    check(call, &[("method", "tools/call"), modern, ("tool", "echo"), ("outcome", "ok")]).await;
    let unknown = [("method", "no/such"), modern, ("outcome", "error"), ("code", "-32601")];
    check(Post::modern("no/such", json!({})), &unknown).await;
    let version = Revision::V2025_06_18.name();
    let legacy = Post::legacy("ping", &json!({})).header("mcp-protocol-version", version);
    check(legacy, &[("method", "ping"), ("revision", version), ("outcome", "ok")]).await;
}

#[tokio::test(start_paused = true)]
async fn a_span_has_the_duration_of_the_request() {
    let slow = running(|_| async {
        tokio::time::sleep(Duration::from_millis(250)).await;
        Ok("slow")
    });
    let service = HttpService::new(server([slow], Limits::default()));
    let (recorder, _guard) = Recorder::new();
    Post::read_of("docs://run").send(&service).await;
    assert_eq!(recorder.one()["duration_ms"], "250.0");
}

#[tokio::test]
async fn a_stream_is_one_span_until_it_ends() {
    let service = HttpService::new(watched());
    let (recorder, _guard) = Recorder::new();
    let mut held = Post::listen().open(&service).await.into_body();
    assert!(next(&mut held).await.is_some());
    assert!(recorder.spans.lock().unwrap().is_empty(), "it is held");
    service.end_streams();
    while next(&mut held).await.is_some() {}
    drop(held);
    let listen = [("method", "subscriptions/listen"), ("revision", MODERN), ("outcome", "ok")];
    assert_eq!(recorder.one_timed(), expected(&listen));
    drop(Post::listen().open(&HttpService::new(watched())).await);
    assert_eq!(recorder.one()["outcome"], "cancelled");
}

#[tokio::test]
async fn the_trace_context_is_from_the_metadata_or_the_header() {
    let (meta, header) = ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "00-1-2-00");
    let service = HttpService::new(server([note()], Limits::default()));
    let (recorder, _guard) = Recorder::new();
    let traced = async |post: Post| {
        post.send(&service).await;
        recorder.one().get("traceparent").cloned()
    };
    assert_eq!(traced(Post::read()).await, None);
    assert_eq!(traced(Post::read().header("traceparent", header)).await.as_deref(), Some(header));
    let mut both = Post::read().header("traceparent", header);
    let body = String::from_utf8(both.body.to_vec()).unwrap();
    both.body = body.replacen("\"_meta\":{", &format!("\"_meta\":{{\"traceparent\":\"{meta}\","), 1).into();
    assert_eq!(traced(both).await.as_deref(), Some(meta));
}

#[tokio::test]
async fn a_rejection_is_an_event_with_the_reason_and_the_rejected_value() {
    let service = HttpService::new(watched());
    let (recorder, _guard) = Recorder::new();
    let secret = "hunter2";
    let check = async |post: Post, fields: &[(&str, &str)]| {
        post.send(&service).await;
        let rejections = std::mem::take(&mut *recorder.rejections.lock().unwrap());
        let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        assert_eq!(rejections, [fields.collect::<Fields>()]);
        assert!(recorder.spans.lock().unwrap().is_empty(), "a rejection has no span");
    };
    let rejected = ("message", "rejected a request");
    for (post, reason, status, seen) in [
        (Post::read().header("host", "evil.example"), "host", "403", "evil.example"),
        (Post::read().header("origin", "https://evil.example"), "origin", "403", "https://evil.example"),
        (Post::read().method(Method::PUT), "method", "405", "PUT"),
        (Post::read().header("content-type", "text/plain"), "content_type", "415", "text/plain"),
        (Post::read().header("content-encoding", "gzip"), "content_encoding", "415", "gzip"),
        (Post::read().header("accept", "text/html"), "accept", "406", "text/html"),
        // No passwords, no text that looks like a line or a field of the log, no long values.
        (Post::read().header("host", "me:hunter2@evil.example"), "host", "403", "evil.example"),
        (Post::read().uri("http://me:hunter2@evil.example/"), "host", "403", "evil.example"),
        (Post::read().header("host", "a\" reason=\"none"), "host", "403", "a\\\" reason=\\\"none"),
        (Post::read().header("accept", b"\xe2\x80\xae"), "accept", "406", "\\xe2\\x80\\xae"),
        (Post::read().header("origin", "x".repeat(1000)), "origin", "403", &format!("{}...", "x".repeat(100))),
    ] {
        check(post, &[rejected, ("reason", reason), ("status", status), (reason, seen)]).await;
    }
    let agrees_not = Post::read().version(http::Version::HTTP_2).uri("http://evil.example/");
    let seen = ("host", "localhost:8787, evil.example");
    check(agrees_not, &[rejected, ("reason", "host"), ("status", "400"), seen]).await;
    // An absent header has no field, and of several lines none is chosen.
    check(Post::read().without("content-type"), &[rejected, ("reason", "content_type"), ("status", "415")]).await;
    let twice = Post::read().line("content-type", secret);
    let seen = ("content_type", "several lines");
    check(twice, &[rejected, ("reason", "content_type"), ("status", "415"), seen]).await;
    // No event has a token.
    let token = |post: Post| post.header("authorization", format!("Bearer {secret}")).header("mcp-session-id", secret);
    check(
        token(Post::read().method(Method::GET)),
        &[rejected, ("reason", "method"), ("status", "405"), ("method", "GET")],
    )
    .await;
    for (post, code) in [
        (Post::of(secret), "-32700"),
        (Post::read().header("mcp-method", secret), "-32020"),
        (Post::read().header("mcp-protocol-version", secret), "-32020"),
    ] {
        check(post, &[("message", "rejected a message"), ("code", code)]).await;
    }
    // A rejection by the session is one event, too.
    let with_sessions = HttpService::builder(watched()).sessions().build().unwrap();
    let unknown = Post::legacy("ping", &json!({})).header("mcp-session-id", secret);
    assert_eq!(unknown.send(&with_sessions).await.status, 404);
    assert_eq!(recorder.rejections.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_listening_server_is_an_event_with_the_url() {
    let (recorder, _guard) = Recorder::new();
    for (path, shown) in [("/mcp", "/mcp"), ("/a/b/", "/a/b"), ("/", "/")] {
        let bound = grange_http::http("127.0.0.1:0").path(path).bind().await.unwrap();
        let url = format!("http://{}{shown}", bound.local_addr().unwrap());
        let addresses = std::mem::take(&mut *recorder.addresses.lock().unwrap());
        let expected =
            [("message", "listening"), ("url", &url)].map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(addresses, [Fields::from(expected)]);
    }
    // A server that cannot start is not announced.
    assert!(grange_http::http("127.0.0.1:0").max_connections(0).bind().await.is_err());
    assert!(recorder.addresses.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_readers_events_are_inside_the_span_of_its_request() {
    let service = HttpService::new(watched());
    let (recorder, _guard) = Recorder::new();
    assert_eq!(Post::read_of("docs://told").send(&service).await.text(), "told");
    let events = recorder.events.lock().unwrap().clone();
    let own: Vec<_> = events.iter().filter(|event| event.starts_with("suite")).collect();
    assert_eq!(own, ["suite::telemetry in request", "suite::telemetry in request"]);
}

#[tokio::test]
async fn an_abandoned_request_is_cancelled() {
    let service = HttpService::new(watched());
    let (recorder, _guard) = Recorder::new();
    let request = Post::read_of("docs://pending").open(&service);
    tokio::select! {
        biased;
        _ = request => panic!("it never ends"),
        () = tokio::task::yield_now() => {}
    }
    assert_eq!(recorder.one()["outcome"], "cancelled");
}

#[test]
fn a_pipe_has_the_same_spans_and_long_names_are_truncated() {
    let meta = json!({ VERSION_KEY: MODERN, CAPABILITIES_KEY: {} });
    let mut connection = Connection::new(watched());
    let (recorder, _guard) = Recorder::new();
    connection.handle_frame(&Post::legacy(&"x".repeat(1000), &json!({ "_meta": meta })).body);
    while connection.poll_action().is_some() {}
    let span = recorder.one();
    assert_eq!((span["method"].chars().count(), &*span["code"]), (201, "-32601"));
}
