//! What only the small server has settings for: where it listens, its path, its connections, its end. The settings that a mounted
//! service has too are in `config.rs`.

use std::fmt;
use std::net::SocketAddr;
use std::pin::Pin;
use std::time::Duration;

use super::connection_options::ConnectionOptions;
use super::listener::Listener;
use crate::config::HttpConfig;

/// Serves HTTP at an address, as in `127.0.0.1:8787`; port 0 lets the system choose.
///
/// ```no_run
/// use grange_core::{Error, Resource, Server};
/// use grange_http::http;
///
/// # async fn run() -> Result<(), Error> {
/// let guide = Resource::builder().uri("docs://guide").name("guide").text("# Guide").build();
/// let server = Server::builder("documentation", "1.0.0").resource(guide).build()?;
/// server.listen(http("127.0.0.1:8787")).await
/// # }
/// ```
pub fn http(address: impl Into<String>) -> Http {
    HttpConfig::new(Listen::to(Source::Address(address.into())))
}

/// Serves HTTP on a listener that is bound already: a `TcpListener`, or on Unix a `UnixListener`, of tokio or of the standard library.
/// For a socket that a service manager opened, or one that only users of this machine may reach.
///
/// ```no_run
/// use grange_core::{Error, Server};
/// use grange_http::serve;
/// # #[cfg(unix)]
/// use tokio::net::UnixListener;
///
/// # #[cfg(unix)]
/// # async fn run() -> Result<(), Error> {
/// let server = Server::builder("documentation", "1.0.0").build()?;
/// let listener = UnixListener::bind("/run/documentation/mcp.sock")?;
/// server.listen(serve(listener)).await
/// # }
/// ```
///
/// All settings are those of [`http()`], with two exceptions on a Unix socket, where the other end of a connection has no address:
///
/// - [`trusted_proxies`](HttpConfig::trusted_proxies) cannot match, so it is a mistake. **`X-Forwarded-Host` and `X-Forwarded-Proto`
///   are ignored.** A proxy in front passes `Host` on, and [`public_hosts`](HttpConfig::public_hosts) names the hosts, in addition to
///   this machine's own names.
/// - [`on_listening`](HttpConfig::on_listening) has no address to pass, so it is a mistake too.
///
/// A listener of the standard library is made non-blocking. The file of a Unix socket is left where it is when the server ends.
pub fn serve(listener: impl Into<Listener>) -> Http {
    HttpConfig::new(Listen::to(Source::Listener(listener.into())))
}

/// The HTTP transport: a small server of HTTP/1 and HTTP/2. See [`http()`] and [`serve()`].
///
/// Clients reach it at the path `/mcp`. On a loopback address, and on a Unix socket, it answers to this machine's own names; on any
/// other address it does not start until [`public_hosts`](HttpConfig::public_hosts) or [`behind_proxy`](HttpConfig::behind_proxy) is
/// called.
///
/// [`Server::listen`](grange_core::Server::listen) serves until SIGTERM or SIGINT (or the future given to
/// [`shutdown`](HttpConfig::shutdown)), then stops accepting, ends held streams, and waits for requests in flight, for
/// `Limits::shutdown_grace` at most.
///
/// It is deliberately small. For TLS, more routes or middleware, mount [`HttpService`](crate::HttpService) in the application that
/// has them.
pub type Http = HttpConfig<Listen>;

/// What the settings of [`Http`] configure: a small server at an address, or on a listener.
pub struct Listen {
    pub(super) source: Source,
    pub(super) path: String,
    pub(super) connections: ConnectionOptions,
    pub(super) shutdown: Option<Shutdown>,
    pub(super) on_listening: Option<Box<dyn FnOnce(SocketAddr) + Send>>,
    pub(super) announce: bool,
}

/// Where connections come from.
#[derive(Debug)]
pub(super) enum Source {
    /// To be opened.
    Address(String),
    /// Handed over.
    Listener(Listener),
}

/// Resolves when the server is to end.
pub(super) type Shutdown = Pin<Box<dyn Future<Output = ()> + Send>>;

impl Listen {
    fn to(source: Source) -> Self {
        Self {
            source,
            path: "/mcp".to_owned(),
            connections: ConnectionOptions::default(),
            shutdown: None,
            on_listening: None,
            announce: false,
        }
    }
}

/// Settings of the small server alone.
impl HttpConfig<Listen> {
    /// The path of the endpoint, with or without a slash at its end. Default `/mcp`.
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.target.path = path.into();
        self
    }

    /// How long a connection may wait for its first or its next request before it is closed. Default 75 s. Pings of HTTP/2 are no
    /// requests.
    ///
    /// Must be longer than a proxy in front keeps an idle connection: otherwise the server sometimes closes one while the proxy sends
    /// a request on it, which is then lost. The deployment guide has the times of common load balancers.
    pub fn idle_timeout(mut self, time: Duration) -> Self {
        self.target.connections.idle_timeout = time;
        self
    }

    /// How long a client may read nothing of a response before it is disconnected. A client that reads slowly is not, unless it needs longer than this time for what the system keeps: on Linux about 64 KiB, or 256 KiB if it read fast before. Over HTTP/2, where
    /// it may stop a single response, only that one is given up. Default 30 s; once the server ends, 3 s at most.
    pub fn write_timeout(mut self, time: Duration) -> Self {
        self.target.connections.write_timeout = time;
        self
    }

    /// The longest head of a request, in bytes; less than 8 KiB counts as that. Default 64 KiB. A head may have 100 header fields.
    pub fn max_header_bytes(mut self, bytes: usize) -> Self {
        self.target.connections.set_max_header_bytes(bytes);
        self
    }

    /// How many connections may be open at once; more wait to be accepted. Default 4096.
    pub fn max_connections(mut self, connections: usize) -> Self {
        self.target.connections.max_connections = connections;
        self
    }

    /// Ends the server when this future resolves, or at one of the signals.
    pub fn shutdown(mut self, shutdown: impl Future<Output = ()> + Send + 'static) -> Self {
        self.target.shutdown = Some(Box::pin(shutdown));
        self
    }

    /// Prints where it listens to standard error, in one line with the URL, wherever standard error goes. The URL of a Unix socket is
    /// written as nginx has it: `http://unix:/run/mcp.sock:/mcp`.
    ///
    /// Without this setting the line is printed where standard error is a terminal and no `tracing` subscriber is installed; a
    /// subscriber gets an event of level INFO with the same URL.
    pub fn announce(mut self) -> Self {
        self.target.announce = true;
        self
    }

    /// Called with the bound address once listening; with port 0, the one that the system chose. A mistake on a Unix socket, which has
    /// none.
    pub fn on_listening(mut self, call: impl FnOnce(SocketAddr) + Send + 'static) -> Self {
        self.target.on_listening = Some(Box::new(call));
        self
    }
}

impl fmt::Debug for Listen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listen").field("source", &self.source).field("path", &self.path).finish_non_exhaustive()
    }
}
