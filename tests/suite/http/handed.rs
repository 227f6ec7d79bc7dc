//! Listeners that the author has bound: TCP and Unix sockets, of tokio and of the standard library.

use std::net::{Ipv4Addr, TcpListener as StdTcpListener};

use grange_core::{Error, Limits};
use grange_http::{Http, serve};
use tokio::net::TcpListener;

use super::drive::{Post, note, server};
use super::sockets::Serving;

#[tokio::test]
async fn a_tcp_listener_is_served_like_an_address() {
    let std = || StdTcpListener::bind("127.0.0.1:0").unwrap();
    let tokio = TcpListener::bind("127.0.0.1:0").await.unwrap();
    for transport in [serve(std()), serve(tokio)] {
        let (tell, told) = tokio::sync::oneshot::channel();
        let listening = transport.on_listening(|address| tell.send(address).unwrap());
        let serving = Serving::of(server([note()], Limits::default()), listening).await;
        assert_eq!(told.await.unwrap(), serving.address);
        assert_eq!(serving.send(Post::read(), "/mcp").await.text(), "note");
        serving.stopped().await;
    }
}

#[tokio::test]
async fn w5_11_an_open_listener_needs_a_host_policy() {
    let open = || serve(StdTcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)).unwrap());
    let error = open().bind().await.unwrap_err();
    assert!(matches!(error, Error::Config(_)), "{error}");
    for part in ["`0.0.0.0:", ".public_hosts(", ".behind_proxy()"] {
        assert!(error.to_string().contains(part), "{error}");
    }
    assert!(open().public_hosts(["mcp.example.com"]).bind().await.is_ok());
    assert!(open().behind_proxy().bind().await.is_ok());
}

#[cfg(unix)]
mod unix {
    use std::os::unix::net::UnixListener as StdUnixListener;
    use std::path::Path;
    use std::sync::Arc;

    use bytes::Bytes;
    use http_body_util::Full;
    use hyper::client::conn::{http1, http2};
    use hyper_util::rt::{TokioExecutor, TokioIo};
    use tempfile::TempDir;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{UnixListener, UnixStream};
    use tokio::sync::Notify;
    use tokio::task::JoinHandle;

    use super::super::drive::{Answer, next};
    use super::super::sockets::{SHORT, raw, request2, soon};
    use super::*;

    /// A server on its own socket.
    struct OnSocket {
        folder: TempDir,
        stop: Arc<Notify>,
        task: JoinHandle<Result<(), Error>>,
    }

    impl OnSocket {
        async fn new(configure: impl FnOnce(Http) -> Http) -> Self {
            Self::of(|file| serve(UnixListener::bind(file).unwrap()), configure).await
        }

        async fn of(listen: impl FnOnce(&Path) -> Http, configure: impl FnOnce(Http) -> Http) -> Self {
            let folder = tempfile::tempdir().unwrap();
            let stop = Arc::new(Notify::new());
            let stopped = stop.clone();
            let transport = listen(&folder.path().join("mcp.sock")).shutdown(async move { stopped.notified().await });
            let bound = configure(transport).bind().await.unwrap();
            assert_eq!(bound.local_addr(), None);
            Self { folder, stop, task: tokio::spawn(bound.serve(server([note()], Limits::default()))) }
        }

        async fn connect(&self) -> UnixStream {
            UnixStream::connect(self.folder.path().join("mcp.sock")).await.unwrap()
        }

        async fn http1(&self) -> http1::SendRequest<Full<Bytes>> {
            let (sender, connection) = http1::handshake(TokioIo::new(self.connect().await)).await.unwrap();
            tokio::spawn(connection);
            sender
        }

        async fn send(&self, post: Post) -> Answer {
            let body = Full::new(post.body.clone());
            let mut request = post.with(body);
            *request.uri_mut() = "/mcp".parse().unwrap();
            Answer::of(soon(self.http1().await.send_request(request)).await.unwrap()).await
        }

        async fn stopped(self) {
            self.stop.notify_one();
            soon(self.task).await.unwrap().unwrap();
            assert!(self.folder.path().join("mcp.sock").exists(), "the file is the author's");
        }
    }

    #[tokio::test]
    async fn a_unix_socket_serves_both_versions_of_http() {
        let std = |file: &Path| serve(StdUnixListener::bind(file).unwrap());
        let tokio = |file: &Path| serve(UnixListener::bind(file).unwrap());
        for listen in [std as fn(&Path) -> Http, tokio] {
            let serving = OnSocket::of(listen, |http| http).await;
            assert_eq!(serving.send(Post::read()).await.text(), "note");
            let io = TokioIo::new(serving.connect().await);
            let (mut client, connection) = http2::handshake(TokioExecutor::new(), io).await.unwrap();
            tokio::spawn(connection);
            let response = soon(client.send_request(request2(Post::read(), "localhost"))).await.unwrap();
            assert_eq!(Answer::of(response).await.text(), "note");
            serving.stopped().await;
        }
    }

    #[tokio::test]
    async fn w5_11_a_unix_socket_accepts_local_and_configured_hosts() {
        let serving = OnSocket::new(|http| http).await;
        assert_eq!(serving.send(Post::read().header("host", "mcp.example.com")).await.status, 403);
        assert_eq!(serving.send(Post::read().header("origin", "https://app.example.com")).await.status, 403);
        serving.stopped().await;
        let named = OnSocket::new(|http| http.public_hosts(["mcp.example.com"])).await;
        for (host, status) in [("mcp.example.com", 200), ("localhost", 200), ("evil.example", 403)] {
            assert_eq!(named.send(Post::read().header("host", host)).await.status, status, "{host}");
        }
        named.stopped().await;
    }

    /// A peer on a Unix socket has no address, so it cannot be a trusted proxy.
    #[tokio::test]
    async fn w5_11_forwarded_headers_are_ignored_on_a_unix_socket() {
        let serving = OnSocket::new(|http| http.public_hosts(["mcp.example.com"])).await;
        let forwarded = Post::read().header("x-forwarded-host", "mcp.example.com");
        assert_eq!(serving.send(forwarded.header("host", "upstream")).await.status, 403);
        let odd = Post::read().header("x-forwarded-host", "a, b").header("x-forwarded-proto", "gopher");
        assert_eq!(serving.send(odd).await.text(), "note");
        serving.stopped().await;
    }

    #[tokio::test]
    async fn settings_that_need_an_address_are_errors_on_a_unix_socket() {
        let folder = tempfile::tempdir().unwrap();
        let transport = serve(UnixListener::bind(folder.path().join("mcp.sock")).unwrap());
        let transport = transport.trusted_proxies(["10.0.0.1"]).on_listening(|_| ()).path("mcp");
        let error = transport.bind().await.unwrap_err();
        assert!(matches!(error, Error::Config(_)), "{error}");
        let text = error.to_string();
        for part in ["`.trusted_proxies(…)`", ".public_hosts(", "`.on_listening(…)`", "`/mcp`"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert_eq!(text.lines().count(), 3, "{text}");
    }

    #[tokio::test]
    async fn w5_14_the_time_limits_of_a_connection_apply_on_a_unix_socket() {
        let serving = OnSocket::new(|http| http.idle_timeout(SHORT).read_timeout(SHORT)).await;
        let whole = raw(&Post::read(), "", Post::read().body.len());
        for (sent, answered) in [(0, ""), (3, ""), (whole.len() - 1, "HTTP/1.1 408 "), (whole.len(), "HTTP/1.1 200 ")] {
            let mut stream = serving.connect().await;
            stream.write_all(&whole[..sent]).await.unwrap();
            let mut answer = String::new();
            soon(stream.read_to_string(&mut answer)).await.unwrap();
            assert!(answer.starts_with(answered), "{sent}: {answer}");
        }
        serving.stopped().await;
    }

    #[tokio::test]
    async fn w5_13_a_shutdown_ends_the_streams_of_a_unix_socket() {
        let serving = OnSocket::new(|http| http).await;
        let _idle = serving.connect().await;
        let post = Post::listen();
        let body = Full::new(post.body.clone());
        let mut request = post.with(body);
        *request.uri_mut() = "/mcp".parse().unwrap();
        let mut held = soon(serving.http1().await.send_request(request)).await.unwrap().into_body();
        assert!(soon(next(&mut held)).await.unwrap().contains("acknowledged"));
        serving.stop.notify_one();
        assert!(soon(next(&mut held)).await.unwrap().contains("complete"));
        serving.stopped().await;
    }
}
