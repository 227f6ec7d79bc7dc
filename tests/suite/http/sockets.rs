//! Tests that need a socket: the small server, HTTP/2, lost and slow connections, shutdown.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use grange_core::{Error, Limits, Resource, Server};
use grange_http::{Http, http};
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::client::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioIo};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::drive::{Answer, NOTE, Post, events, next, note, running, server};
use super::lifetime::{Runs, waiting};

/// Longer than any step here; reached only by a failing test.
const LIMIT: Duration = Duration::from_secs(20);
pub(crate) const SHORT: Duration = Duration::from_millis(50);

pub(crate) async fn soon<F: Future>(future: F) -> F::Output {
    timeout(LIMIT, future).await.expect("within the limit")
}

/// A server on a port of the system's choice.
pub(crate) struct Serving {
    pub(crate) address: SocketAddr,
    pub(crate) stop: Arc<Notify>,
    pub(crate) task: JoinHandle<Result<(), Error>>,
}

impl Serving {
    pub(crate) async fn new(server: Server, configure: impl FnOnce(Http) -> Http) -> Self {
        Self::of(server, configure(http("127.0.0.1:0"))).await
    }

    pub(crate) async fn of(server: Server, transport: Http) -> Self {
        let stop = Arc::new(Notify::new());
        let stopped = stop.clone();
        let bound = transport.shutdown(async move { stopped.notified().await }).bind().await.unwrap();
        let address = bound.local_addr().unwrap();
        Self { address, stop, task: tokio::spawn(bound.serve(server)) }
    }

    pub(super) async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    pub(crate) async fn http1(&self) -> http1::SendRequest<Full<Bytes>> {
        let (sender, connection) = http1::handshake(TokioIo::new(self.connect().await)).await.unwrap();
        tokio::spawn(connection);
        sender
    }

    /// A client whose streams begin with this window, in bytes.
    pub(super) async fn http2_with_window(&self, window: u32) -> http2::SendRequest<Full<Bytes>> {
        let io = TokioIo::new(self.connect().await);
        let builder = http2::Builder::new(TokioExecutor::new()).initial_stream_window_size(window).clone();
        let (sender, connection) = builder.handshake(io).await.unwrap();
        tokio::spawn(connection);
        sender
    }

    pub(crate) async fn http2(&self) -> http2::SendRequest<Full<Bytes>> {
        let io = TokioIo::new(self.connect().await);
        let (sender, connection) = http2::handshake(TokioExecutor::new(), io).await.unwrap();
        tokio::spawn(connection);
        sender
    }

    /// An HTTP/1 request for this path.
    pub(crate) fn request(&self, post: Post, path: &str) -> Request<Full<Bytes>> {
        let body = Full::new(post.body.clone());
        let mut request = post.header("host", self.address.to_string()).with(body);
        *request.uri_mut() = path.parse().unwrap();
        request
    }

    pub(crate) async fn send(&self, post: Post, path: &str) -> Answer {
        let request = self.request(post, path);
        Answer::of(soon(self.http1().await.send_request(request)).await.unwrap()).await
    }

    /// Shuts the server down and waits for its end.
    pub(crate) async fn stopped(self) {
        self.stop.notify_one();
        soon(self.task).await.unwrap().unwrap();
    }
}

/// An HTTP/2 request for this authority.
pub(crate) fn request2(post: Post, authority: &str) -> Request<Full<Bytes>> {
    let body = Full::new(post.body.clone());
    let mut request = post.without("host").with(body);
    *request.uri_mut() = format!("http://{authority}/mcp").parse().unwrap();
    request
}

/// The bytes of a request, with more header lines and this `Content-Length`.
pub(crate) fn raw(post: &Post, lines: &str, length: usize) -> Vec<u8> {
    let target = if post.uri.authority().is_some() { post.uri.to_string() } else { "/mcp".to_owned() };
    let mut out = format!("POST {target} HTTP/1.1\r\n").into_bytes();
    for (name, value) in &post.headers {
        out.extend_from_slice(&[name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
    }
    out.extend_from_slice(format!("{lines}content-length: {length}\r\n\r\n").as_bytes());
    out.extend_from_slice(&post.body);
    out
}

pub(super) async fn read_all(stream: &mut TcpStream) -> String {
    let mut out = Vec::new();
    soon(stream.read_to_end(&mut out)).await.unwrap();
    String::from_utf8_lossy(&out).into_owned()
}

async fn acknowledged(response: Response<Incoming>) -> Incoming {
    let mut body = response.into_body();
    let first = soon(next(&mut body)).await.unwrap();
    assert_eq!(events(&first)[0]["method"], "notifications/subscriptions/acknowledged");
    body
}

/// The 404 for another path names the endpoint only after the same checks.
#[tokio::test]
async fn w5_11_w5_12_the_checks_are_the_same_at_every_path() {
    let app = "https://app.example.com";
    let serving = Serving::new(server([note()], Limits::default()), |http| http.cors([app])).await;
    let mut foreign = serving.request(Post::read(), "/mpc");
    foreign.headers_mut().insert("host", http::HeaderValue::from_static("evil.example"));
    let answer = Answer::of(soon(serving.http1().await.send_request(foreign)).await.unwrap()).await;
    assert_eq!((answer.status, answer.message().contains("/mcp")), (403, false), "{answer:?}");
    let answer = serving.send(Post::read().header("origin", "https://evil.example"), "/mpc").await;
    assert_eq!((answer.status, answer.message().contains("/mcp")), (403, false), "{answer:?}");
    let answer = serving.send(Post::read().header("origin", app), "/mpc").await;
    assert_eq!((answer.status, answer.message().contains("/mcp")), (404, true), "{answer:?}");
    assert_eq!(
        (&answer.headers["access-control-allow-origin"], &answer.headers["vary"]),
        (&http::HeaderValue::from_static(app), &http::HeaderValue::from_static("origin"))
    );
    let asks = Post::of("").method(http::Method::OPTIONS).header("origin", app);
    let answer = serving.send(asks.header("access-control-request-method", "POST"), "/mpc").await;
    assert_eq!(
        (answer.status, &answer.headers["access-control-allow-origin"]),
        (204, &http::HeaderValue::from_static(app))
    );
    serving.stopped().await;
}

#[tokio::test]
async fn w5_11_the_authority_of_http2_requests_is_checked() {
    let serving = Serving::new(server([note()], Limits::default()), |http| http).await;
    let mut client = serving.http2().await;
    let mut check = async |request: Request<Full<Bytes>>, status: u16| {
        let answer = Answer::of(soon(client.send_request(request)).await.unwrap()).await;
        assert_eq!(answer.status, status, "{answer:?}");
    };
    let here = serving.address.to_string();
    check(request2(Post::read(), &here), 200).await;
    check(request2(Post::read(), "localhost:1"), 200).await;
    check(request2(Post::read(), "evil.example"), 403).await;
    let with_host = |host: &str, authority: &str| {
        let mut request = request2(Post::read(), authority);
        request.headers_mut().insert("host", host.parse().unwrap());
        request
    };
    check(with_host(&here, &here), 200).await;
    check(with_host("evil.example", &here), 400).await;
    check(with_host(&here, "evil.example"), 400).await;
    serving.stopped().await;
}

#[tokio::test]
async fn w5_11_a_loopback_address_keeps_its_names_beside_the_public_ones() {
    let configure = |http: Http| http.public_hosts(["mcp.example.com"]).allow_origins(["https://app.example.com"]);
    let serving = Serving::new(server([note()], Limits::default()), configure).await;
    for (host, origin, status) in [
        ("localhost", "http://localhost:3000", 200),
        ("mcp.example.com", "https://app.example.com", 200),
        ("mcp.example.com", "https://mcp.example.com", 403),
        ("evil.example", "https://app.example.com", 403),
    ] {
        let mut request = serving.request(Post::read().header("origin", origin), "/mcp");
        request.headers_mut().insert("host", host.parse().unwrap());
        let response = soon(serving.http1().await.send_request(request)).await.unwrap();
        assert_eq!(response.status(), status, "{host} {origin}");
    }
    serving.stopped().await;
}

#[tokio::test]
async fn w5_10_the_path_is_served_with_and_without_a_slash_and_no_redirect() {
    for path in ["/", "/mcp", "/mcp/", "/a/b"] {
        let serving = Serving::new(server([note()], Limits::default()), |http| http.path(path)).await;
        let bare = path.trim_end_matches('/');
        for uri in [format!("{bare}/"), if bare.is_empty() { "/".to_owned() } else { bare.to_owned() }] {
            assert_eq!(serving.send(Post::read(), &uri).await.text(), "note", "{path} {uri}");
            assert_eq!(serving.send(Post::read(), &format!("{uri}?x=1")).await.text(), "note", "{path} {uri}");
        }
        for uri in ["/other", "/mcp/x", "//", "/MCP", "/a", "/.well-known/oauth-protected-resource"] {
            let answer = serving.send(Post::read(), uri).await;
            assert_eq!((answer.status, answer.code()), (404, -32600), "{path} {uri}");
            assert!(answer.message().contains(&format!("{uri:?}")) && answer.message().contains(".path("));
        }
        serving.stopped().await;
    }
}

#[tokio::test]
async fn w5_14_a_client_that_sends_too_much_can_read_the_rejection() {
    let limits = Limits { message_bytes: 1000, ..Limits::default() };
    let serving = Serving::new(server([note()], limits), |http| http).await;
    let flood = vec![b' '; 1024 * 1024];
    let post = Post::read();
    let announced = [raw(&post, "", flood.len() + post.body.len()), flood.clone()].concat();
    let head = raw(&Post { body: Bytes::new(), ..post.clone() }, "transfer-encoding: chunked\r\nx-", 0);
    let chunked = [&head[..], format!("{:x}\r\n", flood.len()).as_bytes(), &flood, b"\r\n0\r\n\r\n"].concat();
    for sent in [announced, chunked] {
        let mut stream = serving.connect().await;
        soon(stream.write_all(&sent)).await.unwrap();
        let answer = read_all(&mut stream).await;
        assert!(answer.starts_with("HTTP/1.1 413 ") && answer.contains("1000 bytes"), "{answer}");
    }
    assert_eq!(serving.send(Post::read(), "/mcp").await.text(), "note");
    serving.stopped().await;
}

#[tokio::test]
async fn w5_14_slow_heads_and_bodies_time_out() {
    let serving = Serving::new(server([note()], Limits::default()), |http| http.read_timeout(SHORT)).await;
    let complete = raw(&Post::read(), "", Post::read().body.len());
    for (sent, answered) in [(3, ""), (30, ""), (complete.len() - 1, "HTTP/1.1 408 ")] {
        let mut stream = serving.connect().await;
        stream.write_all(&complete[..sent]).await.unwrap();
        let answer = read_all(&mut stream).await;
        assert!(answer.starts_with(answered), "{sent}: {answer}");
    }
    serving.stopped().await;
}

#[tokio::test]
async fn w5_11_an_absolute_target_over_http1_replaces_the_host() {
    let serving = Serving::new(server([note()], Limits::default()), |http| http).await;
    for (target, host, status) in [
        ("http://localhost:1/mcp", "evil.example", 200),
        ("http://LOCALHOST/mcp?x=1", "localhost", 200),
        ("http://evil.example/mcp", "localhost", 403),
        ("http://evil.example/mcp", "evil.example", 403),
        ("http://localhost@evil.example/mcp", "localhost", 403),
        ("http://localhost/elsewhere", "localhost", 404),
        ("http://evil.example/elsewhere", "localhost", 403),
    ] {
        let mut stream = serving.connect().await;
        let post = Post::read().uri(target).header("host", host);
        stream.write_all(&raw(&post, "connection: close\r\n", post.body.len())).await.unwrap();
        let answer = read_all(&mut stream).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{target} {host}: {answer}");
    }
    let aimed = Post::read().uri("http://localhost/mcp");
    for post in [aimed.clone().without("host"), aimed.line("host", "localhost")] {
        let mut stream = serving.connect().await;
        stream.write_all(&raw(&post, "connection: close\r\n", post.body.len())).await.unwrap();
        assert!(read_all(&mut stream).await.starts_with("HTTP/1.1 400 "), "{:?}", post.headers);
    }
    serving.stopped().await;
}

#[tokio::test]
async fn w5_14_the_size_of_a_head_is_limited() {
    let serving = Serving::new(server([note()], Limits::default()), |http| http.max_header_bytes(8 * 1024)).await;
    let mut stream = serving.connect().await;
    let long = format!("x-long: {}\r\n", "x".repeat(9 * 1024));
    soon(stream.write_all(&raw(&Post::read(), &long, Post::read().body.len()))).await.unwrap();
    let answer = read_all(&mut stream).await;
    assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
    serving.stopped().await;
}

/// With a limit of one connection, the second is served only after the first is closed.
#[tokio::test]
async fn w5_14_a_client_that_stops_reading_is_disconnected() {
    let large = Resource::builder().uri("docs://large").name("large").text("x".repeat(32 * 1024 * 1024)).build();
    let configure = |http: Http| http.write_timeout(SHORT).max_connections(1);
    let serving = Serving::new(server([note(), large], Limits::default()), configure).await;
    let mut stuck = serving.connect().await;
    let post = Post::read_of("docs://large");
    stuck.write_all(&raw(&post, "", post.body.len())).await.unwrap();
    assert_eq!(serving.send(Post::read(), "/mcp").await.text(), "note");
    drop(stuck);
    serving.stopped().await;
}

#[tokio::test]
async fn w5_4_a_rejected_message_keeps_the_connection_open() {
    let serving = Serving::new(server([note()], Limits::default()), |http| http).await;
    let mut client = serving.http1().await;
    for body in ["{not json", ""] {
        client.ready().await.unwrap();
        let request = serving.request(Post::read().body(body), "/mcp");
        let answer = Answer::of(soon(client.send_request(request)).await.unwrap()).await;
        assert_eq!((answer.status, answer.code(), answer.json().get("id")), (400, -32700, None));
    }
    client.ready().await.unwrap();
    let answer = soon(client.send_request(serving.request(Post::read(), "/mcp"))).await.unwrap();
    assert_eq!(Answer::of(answer).await.text(), "note");
    // Pipelined requests are answered in order.
    let mut stream = serving.connect().await;
    let last = raw(&Post::read(), "connection: close\r\n", Post::read().body.len());
    let first = raw(&Post::of("{"), "", 1);
    stream.write_all(&[first, last].concat()).await.unwrap();
    let answers = read_all(&mut stream).await;
    assert!(answers.find("HTTP/1.1 400 ").unwrap() < answers.find("HTTP/1.1 200 ").unwrap(), "{answers}");
    // An answer does not wait for the rest of the next request.
    let mut stream = serving.connect().await;
    let whole = raw(&Post::read(), "", Post::read().body.len());
    stream.write_all(&[&whole[..], &whole[..40]].concat()).await.unwrap();
    let mut start = [0; 12];
    soon(stream.read_exact(&mut start)).await.unwrap();
    assert_eq!(&start, b"HTTP/1.1 200");
    serving.stopped().await;
}

#[tokio::test]
async fn w5_6_a_lost_connection_cancels_over_http1_and_http2() {
    let runs = Arc::new(Runs::default());
    let serving = Serving::new(server([waiting(&runs)], Limits::default()), |http| http).await;
    let post = Post::read_of("docs://run");
    let mut stream = serving.connect().await;
    stream.write_all(&raw(&post, "", post.body.len())).await.unwrap();
    soon(runs.started.notified()).await;
    drop(stream);
    soon(runs.stopped.notified()).await;
    let mut client = serving.http2().await;
    let request = request2(post, &serving.address.to_string());
    let response = tokio::spawn(client.send_request(request));
    soon(runs.started.notified()).await;
    response.abort();
    soon(runs.stopped.notified()).await;
    assert_eq!((runs.cancelled(), runs.finished()), (2, 0));
    serving.stopped().await;
}

#[tokio::test]
async fn w5_13_shutdown_completes_running_requests_and_closes_all_connections() {
    let runs = Arc::new(Runs::default());
    let serving = Serving::new(server([waiting(&runs), note()], Limits::default()), |http| http).await;
    let here = serving.address.to_string();
    // Idle connections: one that never sent, and one between requests, for each protocol version.
    let _fresh = serving.connect().await;
    let mut idle = serving.http1().await;
    soon(idle.send_request(serving.request(Post::read(), "/mcp"))).await.unwrap().into_body().collect().await.unwrap();
    let mut idle2 = serving.http2().await;
    soon(idle2.send_request(request2(Post::read(), &here))).await.unwrap();
    // Held streams.
    let (mut holder, mut holder2) = (serving.http1().await, serving.http2().await);
    let held = soon(holder.send_request(serving.request(Post::listen(), "/mcp"))).await.unwrap();
    let held2 = soon(holder2.send_request(request2(Post::listen(), &here))).await.unwrap();
    let (held, held2) = (acknowledged(held).await, acknowledged(held2).await);
    // A running request, and one whose client has disconnected.
    let mut client = serving.http1().await;
    let request = tokio::spawn(client.send_request(serving.request(Post::read_of("docs://run"), "/mcp")));
    soon(runs.started.notified()).await;
    let mut gone = serving.connect().await;
    let legacy = Post::legacy("resources/read", &json!({ "uri": "docs://run" }));
    gone.write_all(&raw(&legacy, "", legacy.body.len())).await.unwrap();
    soon(runs.started.notified()).await;
    drop(gone);

    serving.stop.notify_one();
    for body in [held, held2] {
        let rest = soon(body.collect()).await.unwrap().to_bytes();
        let rest = events(std::str::from_utf8(&rest).unwrap());
        assert_eq!((&rest[0]["result"]["resultType"], rest.len()), (&json!("complete"), 2), "{rest:?}");
    }
    assert!(!serving.task.is_finished());
    runs.release.notify_one();
    runs.release.notify_one();
    soon(runs.stopped.notified()).await;
    runs.release.notify_one();
    let answer = Answer::of(soon(request).await.unwrap().unwrap()).await;
    assert_eq!(answer.text(), "released");
    soon(serving.task).await.unwrap().unwrap();
    assert_eq!((runs.cancelled(), runs.finished()), (0, 2));
    assert!(TcpStream::connect(serving.address).await.is_err());
}

#[tokio::test]
async fn w5_13_the_grace_period_limits_the_shutdown() {
    let runs = Arc::new(Runs::default());
    let limits = Limits { shutdown_grace: SHORT, ..Limits::default() };
    let serving = Serving::new(server([waiting(&runs)], limits), |http| http).await;
    let (mut client, mut client2) = (serving.http1().await, serving.http2().await);
    let read = || Post::read_of("docs://run");
    let request = tokio::spawn(client.send_request(serving.request(read(), "/mcp")));
    soon(runs.started.notified()).await;
    let other = tokio::spawn(client2.send_request(request2(read(), &serving.address.to_string())));
    soon(runs.started.notified()).await;
    serving.stopped().await;
    for request in [request, other] {
        assert!(soon(request).await.unwrap().is_err());
    }
    while runs.cancelled() < 2 {
        soon(runs.stopped.notified()).await;
    }
    assert_eq!(runs.finished(), 0);
}

/// With a limit of one held stream, another one opens only after the first is gone.
#[tokio::test]
async fn w5_14_a_stream_of_a_disconnected_client_returns_its_permit() {
    let serving = Serving::new(server([note()], Limits { streams: 1, ..Limits::default() }), |http| http).await;
    for _ in 0..3 {
        let mut client = serving.http1().await;
        let held = soon(async {
            loop {
                client.ready().await.unwrap();
                let response = client.send_request(serving.request(Post::listen(), "/mcp")).await.unwrap();
                match response.status().as_u16() {
                    503 => Answer::of(response).await.code(),
                    _ => break response,
                };
            }
        });
        drop((acknowledged(held.await).await, client));
    }
    serving.stopped().await;
}

#[tokio::test]
async fn the_bound_address_is_known_and_an_address_in_use_is_an_error() {
    let (tell, told) = tokio::sync::oneshot::channel();
    let bound = http("127.0.0.1:0").on_listening(|address| tell.send(address).unwrap()).bind().await.unwrap();
    assert_eq!(told.await.ok(), bound.local_addr());
    let address = bound.local_addr().unwrap().to_string();
    let again = http(&address).bind().await.unwrap_err();
    let Error::Io(error) = &again else { panic!("not from the system: {again}") };
    assert_eq!(error.kind(), std::io::ErrorKind::AddrInUse);
    let expected =
        format!("the address {address} is in use: stop the process that listens there, or choose another port");
    assert!(again.to_string().starts_with(&expected) && again.to_string().contains("127.0.0.1:0"), "{again}");
    // An address of the range that is reserved for documentation.
    let foreign = http("192.0.2.1:8787").behind_proxy().bind().await.unwrap_err();
    assert!(foreign.to_string().contains("192.0.2.1:8787 is none of this machine's"), "{foreign}");
}

#[tokio::test]
async fn a_server_listens_until_its_shutdown() {
    let (sender, bound) = tokio::sync::oneshot::channel();
    let stop = Arc::new(Notify::new());
    let stopped = stop.clone();
    let transport = http("127.0.0.1:0").on_listening(|address| sender.send(address).unwrap());
    let transport = transport.shutdown(async move { stopped.notified().await });
    let serving = tokio::spawn(server([note(), running(|_| async { Ok("run") })], Limits::default()).listen(transport));
    let address = soon(bound).await.unwrap();
    let mut stream = TcpStream::connect(address).await.unwrap();
    let post = Post::read_of(NOTE);
    stream.write_all(&raw(&post, "connection: close\r\n", post.body.len())).await.unwrap();
    assert!(read_all(&mut stream).await.starts_with("HTTP/1.1 200 "));
    stop.notify_one();
    soon(serving).await.unwrap().unwrap();
}
