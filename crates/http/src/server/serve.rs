//! The small server: an address, one path, HTTP/1 and HTTP/2, and an end that waits for what is under way.
//!
//! Deliberately small. For TLS, more routes or middleware, mount [`HttpService`] in the application that has them.

use std::fmt;
use std::future::{pending, poll_fn};
use std::net::{IpAddr, SocketAddr};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use grange_core::{Error, Server, Transport};
use tokio::net::{TcpListener, TcpStream, lookup_host};
use tokio::task::JoinSet;
use tokio::time::{Sleep, sleep, timeout};

use super::connection::serve_connection;
use super::endpoint::Endpoint;
use super::listen::{announce, open, remedy};
use super::signal::shutdown_signal;
use crate::auth::Authenticator;
use crate::config::{Authentication, ConnectionOptions, Options};
use crate::service::HttpService;

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
    Http {
        address: address.into(),
        path: "/mcp".to_owned(),
        options: Options::default(),
        connections: ConnectionOptions::default(),
        mistakes: Vec::new(),
        shutdown: None,
        on_listening: None,
        announce: false,
    }
}

/// The HTTP transport: settings for the small server. See [`http()`].
///
/// Clients reach it at the path `/mcp`. On a loopback address it answers to this machine's own names; on any other it
/// does not start until [`public_hosts`](Self::public_hosts) or [`behind_proxy`](Self::behind_proxy) is called.
///
/// [`Server::listen`] serves until SIGTERM or SIGINT (or the future given to [`shutdown`](Self::shutdown)), then stops
/// accepting, ends held streams, and waits for requests under way, for `Limits::shutdown_grace` at most.
#[must_use = "a transport does nothing until a server listens on it"]
pub struct Http {
    address: String,
    path: String,
    options: Options,
    connections: ConnectionOptions,
    mistakes: Vec<String>,
    shutdown: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    on_listening: Option<Box<dyn FnOnce(SocketAddr) + Send>>,
    announce: bool,
}

impl Http {
    /// The path of the endpoint, with or without a slash at its end. Default `/mcp`.
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }

    /// The hosts that clients may address, exactly as their `Host` header has them: `mcp.example.com`, with a port
    /// where they use one. On a loopback address this machine's own names stay allowed.
    pub fn public_hosts<H: AsRef<str>>(mut self, hosts: impl IntoIterator<Item = H>) -> Self {
        for host in hosts {
            self.mistakes.extend(self.options.add_host(host.as_ref()).err());
        }
        self
    }

    /// Says that a proxy in front checks `Host`, so that any is served. `Origin` is checked all the same.
    pub fn behind_proxy(mut self) -> Self {
        self.options.waive_host();
        self
    }

    /// Proxies in front, by address or network (`10.0.0.7`, `10.0.0.0/8`), whose `X-Forwarded-Host` and `X-Forwarded-Proto` headers are
    /// trusted. The forwarded host is then checked instead of `Host`, against [`public_hosts`](Self::public_hosts), and readers find
    /// both values as [`ForwardedOrigin`](crate::ForwardedOrigin). From other senders these headers are ignored.
    ///
    /// The proxy must set both itself, whatever the client sent.
    pub fn trusted_proxies<P: AsRef<str>>(mut self, proxies: impl IntoIterator<Item = P>) -> Self {
        for proxy in proxies {
            self.mistakes.extend(self.options.proxies.add(proxy.as_ref()).err());
        }
        self
    }

    /// More origins whose pages may send requests, exactly as browsers write them: `https://app.example.com`.
    pub fn allow_origins<O: AsRef<str>>(mut self, origins: impl IntoIterator<Item = O>) -> Self {
        for origin in origins {
            self.mistakes.extend(self.options.origins.add(origin.as_ref()).err());
        }
        self
    }

    /// Lets pages of these origins read responses, exactly as browsers write them: `https://app.example.com`. They may then send
    /// requests too.
    pub fn cors<O: AsRef<str>>(mut self, origins: impl IntoIterator<Item = O>) -> Self {
        for origin in origins {
            self.mistakes.extend(self.options.add_cors(origin.as_ref()).err());
        }
        self
    }

    /// Rejects every request that the authenticator does not accept, before its body is read. The document that tells clients how to
    /// get a token, if the authenticator has one, is served at its own paths.
    pub fn authenticator(mut self, authenticator: impl Authenticator) -> Self {
        self.options.authenticator = Some(Authentication(Arc::new(authenticator)));
        self
    }

    /// Keeps sessions for clients whose protocol revision has them, even if nothing of the server needs any: clients can then
    /// cancel a request by its id and come back to a stream that they lost. A server that sends requests to clients keeps
    /// sessions in any case.
    ///
    /// A session lives in this process: with several behind a balancer, each client must come back to the same one.
    pub fn sessions(mut self) -> Self {
        self.options.sessions = true;
        self
    }

    /// How often a comment goes out on an event stream, so that proxies do not take it for dead. Default 15 s.
    pub fn keep_alive(mut self, every: Duration) -> Self {
        self.mistakes.extend(self.options.set_keep_alive(every).err());
        self
    }

    /// How long a request's head may take to arrive once its first byte is there, and then its body. Default 30 s.
    pub fn read_timeout(mut self, time: Duration) -> Self {
        self.mistakes.extend(self.options.set_read_timeout(time).err());
        self
    }

    /// How long an HTTP/1 connection may wait for its first or its next request before it is closed. Default 75 s.
    ///
    /// Longer than what is in front keeps a connection that it does not use, or now and then a request meets the closing and is
    /// lost. The deployment guide has the times of common load balancers.
    pub fn idle_timeout(mut self, time: Duration) -> Self {
        self.mistakes.extend(self.connections.set_idle_timeout(time).err());
        self
    }

    /// How long a client may take nothing of what is sent before it is disconnected. Default 30 s.
    pub fn write_timeout(mut self, time: Duration) -> Self {
        self.mistakes.extend(self.connections.set_write_timeout(time).err());
        self
    }

    /// The longest head of a request, in bytes; less than 8 KiB counts as that. Default 64 KiB.
    pub fn max_header_bytes(mut self, bytes: usize) -> Self {
        self.connections.set_max_header_bytes(bytes);
        self
    }

    /// How many connections may be open at once; more wait to be accepted. Default 4096.
    pub fn max_connections(mut self, connections: usize) -> Self {
        self.mistakes.extend(self.connections.set_max_connections(connections).err());
        self
    }

    /// Ends the server when this future does, besides the signals.
    pub fn shutdown(mut self, shutdown: impl Future<Output = ()> + Send + 'static) -> Self {
        self.shutdown = Some(Box::pin(shutdown));
        self
    }

    /// Says on standard error where it listens, in one line with the URL, wherever standard error goes.
    ///
    /// Without it that line is printed where standard error is a terminal and no `tracing` subscriber is installed, and an event of
    /// level INFO with the same text goes to one that is.
    pub fn announce(mut self) -> Self {
        self.announce = true;
        self
    }

    /// Called with the bound address once listening; with port 0, the one that the system chose.
    pub fn on_listening(mut self, tell: impl FnOnce(SocketAddr) + Send + 'static) -> Self {
        self.on_listening = Some(Box::new(tell));
        self
    }

    /// Checks the settings and opens the address. Clients can connect from here on; they are answered once
    /// [`Bound::serve`] runs.
    ///
    /// # Errors
    /// [`Error::Config`] for settings that do not hold together, before anything is opened; [`Error::Io`] from the
    /// system, such as an address in use, with its kind as the system gave it and with the remedy in its text.
    pub async fn bind(mut self) -> Result<Bound, Error> {
        let addresses = self.checked().await?;
        let listener = open(&self.address, &addresses).await?;
        let local_addr = listener.local_addr()?;
        announce(local_addr, &self.path, self.announce);
        if let Some(tell) = self.on_listening.take() {
            tell(local_addr);
        }
        Ok(Bound { listener, local_addr, http: self })
    }

    async fn checked(&mut self) -> Result<Vec<SocketAddr>, Error> {
        if !self.path.starts_with('/') {
            self.mistakes.push(format!("path `{}` must begin with a slash: write `/{0}`", self.path));
        }
        let address = &self.address;
        let addresses: Vec<_> = match lookup_host(address).await {
            Ok(addresses) => addresses.collect(),
            Err(error) => {
                self.mistakes.push(format!("address `{address}`: {error}; write it as in `127.0.0.1:8787`"));
                Vec::new()
            }
        };
        if addresses.iter().all(|address| is_loopback(address.ip())) {
            self.options.set_loopback(true);
        } else if !self.options.hosts.has_policy() {
            self.mistakes.push(format!(
                "address `{address}` is open to other machines, and nothing says which hosts they may address: name \
                 them with `.public_hosts([\"mcp.example.com\"])`, or say `.behind_proxy()` if a proxy in front checks \
                 Host, or listen on `127.0.0.1`"
            ));
        }
        if self.mistakes.is_empty() { Ok(addresses) } else { Err(Error::Config(self.mistakes.join("\n"))) }
    }
}

fn is_loopback(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

impl Transport for Http {
    async fn serve(mut self, server: Server) -> Result<(), Error> {
        let shutdown = self.shutdown.take();
        // To its end, a failure to bind included: nothing that is logged may wait for whoever reads standard error.
        let _stderr = grange_process::guard_stderr()?;
        // From before anyone is told that the server listens: who was told may end it at once.
        let signal = shutdown_signal()?;
        let bound = self.bind().await?;
        bound
            .serve_until(server, async move {
                let mut signal = pin!(signal);
                let mut shutdown = pin!(asked(shutdown));
                poll_fn(|cx| match signal.as_mut().poll(cx) {
                    Poll::Ready(()) => Poll::Ready(()),
                    Poll::Pending => shutdown.as_mut().poll(cx),
                })
                .await;
            })
            .await
    }
}

async fn asked(shutdown: Option<Pin<Box<dyn Future<Output = ()> + Send>>>) {
    match shutdown {
        Some(shutdown) => shutdown.await,
        None => pending().await,
    }
}

impl fmt::Debug for Http {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Http").field("address", &self.address).field("path", &self.path).finish_non_exhaustive()
    }
}

/// An open address that a server can serve on; see [`Http::bind`].
#[derive(Debug)]
#[must_use = "connections wait until the server serves"]
pub struct Bound {
    listener: TcpListener,
    local_addr: SocketAddr,
    http: Http,
}

impl Bound {
    /// The address, with the port that the system chose if it was to.
    pub fn local_addr(&self) -> SocketAddr {
        self.local_addr
    }

    /// Serves until the future given to [`Http::shutdown`] ends; without one, for ever. Unlike [`Server::listen`] it
    /// leaves the signals of the process alone.
    ///
    /// Standard error is guarded meanwhile: nothing that is written to it waits for whoever reads it.
    ///
    /// # Errors
    /// [`Error::Io`] from the system, such as too many open files. What goes wrong on one connection ends that connection.
    pub async fn serve(mut self, server: Server) -> Result<(), Error> {
        let _stderr = grange_process::guard_stderr()?;
        let shutdown = asked(self.http.shutdown.take());
        self.serve_until(server, shutdown).await
    }

    async fn serve_until(self, server: Server, shutdown: impl Future<Output = ()>) -> Result<(), Error> {
        let Self { listener, http, .. } = self;
        let grace = server.limits().shutdown_grace;
        let service = HttpService::new(server, http.options);
        let endpoint = Endpoint::new(service.clone(), &http.path);
        let mut connections = JoinSet::new();
        let mut shutdown = pin!(shutdown);
        while let Some((stream, peer)) =
            accept(&listener, &mut connections, http.connections.max_connections, shutdown.as_mut()).await
        {
            connections.spawn(serve_connection(stream, peer.ip(), endpoint.clone(), http.connections));
        }
        drop(listener);
        service.end_streams();
        let finished = async {
            while connections.join_next().await.is_some() {}
            // What runs on after its client has gone.
            service.shared().capacity.idle().await;
        };
        if timeout(grace, finished).await.is_err() {
            tracing::warn!(open = connections.len(), "shut down with requests under way: the grace period is over");
        }
        if let Some(sessions) = &service.shared().sessions {
            sessions.end();
        }
        Ok(())
    }
}

/// The next connection, or `None` when the server is to shut down.
async fn accept(
    listener: &TcpListener,
    connections: &mut JoinSet<()>,
    limit: usize,
    mut shutdown: Pin<&mut impl Future<Output = ()>>,
) -> Option<(TcpStream, SocketAddr)> {
    /// Between attempts while the system has no room for a connection.
    const PAUSE: Duration = Duration::from_millis(100);
    let mut pause = pin!(None::<Sleep>);
    poll_fn(|cx| {
        if shutdown.as_mut().poll(cx).is_ready() {
            return Poll::Ready(None);
        }
        loop {
            while let Poll::Ready(Some(_)) = connections.poll_join_next(cx) {}
            if connections.len() >= limit {
                return Poll::Pending;
            }
            if let Some(paused) = pause.as_mut().as_pin_mut() {
                std::task::ready!(paused.poll(cx));
                pause.set(None);
            }
            match std::task::ready!(listener.poll_accept(cx)) {
                Ok(accepted) => return Poll::Ready(Some(accepted)),
                Err(error) => {
                    tracing::warn!(%error, remedy = remedy(&error), "a connection could not be accepted");
                    pause.set(Some(sleep(PAUSE)));
                }
            }
        }
    })
    .await
}
