//! The tower service and its settings. What it does with a request is in `pipeline.rs`.

use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use grange_core::Server;
use http::{Request, Response};
use http_body::Body;

use crate::auth::Authenticator;
use crate::body::ResponseBody;
use crate::config::{Authentication, Options};
use crate::future::ResponseFuture;
use crate::metadata::MetadataService;
use crate::pipeline;
use crate::sessions::store::Sessions;
use crate::shared::Shared;

/// Gives a server its HTTP service.
pub trait ServeHttp {
    /// A tower service that answers at whatever path it is mounted, for axum, plain hyper or anything else that speaks
    /// tower. It needs a tokio runtime with its clock.
    ///
    /// It has no address of its own, so it is careful: until [`HttpService::public_hosts`] or
    /// [`HttpService::behind_proxy`] is called, it answers only to this machine's own names (`localhost`, 127.0.0.0/8,
    /// `[::1]`).
    ///
    /// ```
    /// use grange_core::{Resource, Server};
    /// use grange_http::ServeHttp;
    ///
    /// let guide = Resource::builder().uri("docs://guide").name("guide").text("# Guide").build();
    /// let server = Server::builder("documentation", "1.0.0").resource(guide).build()?;
    /// let service = server.http_service().public_hosts(["mcp.example.com"]);
    /// // axum: Router::new().nest_service("/mcp", service)
    /// # Ok::<(), grange_core::BuildError>(())
    /// ```
    fn http_service(&self) -> HttpService;
}

impl ServeHttp for Server {
    fn http_service(&self) -> HttpService {
        HttpService::new(self.clone(), Options::default())
    }
}

/// A [`Server`] as a tower service. Cheap to clone; the clones share their limits and their end.
///
/// It takes any request body and never fails: a request that is wrong gets an HTTP response.
#[derive(Clone)]
pub struct HttpService {
    shared: Arc<Shared>,
}

impl HttpService {
    pub(crate) fn new(server: Server, options: Options) -> Self {
        Self { shared: Arc::new(Shared::new(server, options)) }
    }

    /// The hosts that clients may address, exactly as their `Host` header has them: `mcp.example.com`, with a port
    /// where they use one. Replaces the default, which is this machine's own names.
    ///
    /// # Panics
    /// On what is no host, such as a URL.
    #[must_use]
    #[track_caller]
    pub fn public_hosts<H: AsRef<str>>(self, hosts: impl IntoIterator<Item = H>) -> Self {
        self.with(|options| hosts.into_iter().try_for_each(|host| options.add_host(host.as_ref())))
    }

    /// Says that a proxy in front checks `Host`, so that any is served. `Origin` is checked all the same.
    #[must_use]
    pub fn behind_proxy(self) -> Self {
        self.with(|options| {
            options.waive_host();
            Ok(())
        })
    }

    /// Proxies in front, by address or network (`10.0.0.7`, `10.0.0.0/8`), whose `X-Forwarded-Host` and `X-Forwarded-Proto` headers are
    /// trusted. The forwarded host is then checked instead of `Host`, against [`public_hosts`](Self::public_hosts), and readers find
    /// both values as [`ForwardedOrigin`](crate::ForwardedOrigin). From other senders these headers are ignored.
    ///
    /// The proxy must set both itself, whatever the client sent. The application tells the service the address of the sender, with
    /// [`PeerAddr`](crate::PeerAddr).
    ///
    /// # Panics
    /// On what is neither an address nor a network.
    #[must_use]
    #[track_caller]
    pub fn trusted_proxies<P: AsRef<str>>(self, proxies: impl IntoIterator<Item = P>) -> Self {
        self.with(|options| proxies.into_iter().try_for_each(|proxy| options.proxies.add(proxy.as_ref())))
    }

    /// More origins whose pages may send requests, exactly as browsers write them: `https://app.example.com`.
    ///
    /// # Panics
    /// On what is no origin, such as a URL with a path.
    #[must_use]
    #[track_caller]
    pub fn allow_origins<O: AsRef<str>>(self, origins: impl IntoIterator<Item = O>) -> Self {
        self.with(|options| origins.into_iter().try_for_each(|origin| options.origins.add(origin.as_ref())))
    }

    /// Lets pages of these origins read responses, exactly as browsers write them: `https://app.example.com`. They may then send
    /// requests too, as with [`allow_origins`](Self::allow_origins).
    ///
    /// # Panics
    /// On what is no origin, such as a URL with a path.
    #[must_use]
    #[track_caller]
    pub fn cors<O: AsRef<str>>(self, origins: impl IntoIterator<Item = O>) -> Self {
        self.with(|options| origins.into_iter().try_for_each(|origin| options.add_cors(origin.as_ref())))
    }

    /// Rejects every request that the authenticator does not accept, before its body is read. The identity that it returns is in the
    /// request's extensions, for readers and tools; sessions belong to its principal.
    #[must_use]
    pub fn authenticator(self, authenticator: impl Authenticator) -> Self {
        self.with(|options| {
            options.authenticator = Some(Authentication(Arc::new(authenticator)));
            Ok(())
        })
    }

    /// The service of the document that tells clients how to get a token, to be mounted at the `paths` of the authenticator's
    /// [`ResourceMetadata`](crate::ResourceMetadata); `None` if it has none.
    pub fn metadata_service(&self) -> Option<MetadataService> {
        let metadata = self.shared.options.authenticator.as_ref()?.0.metadata()?;
        Some(MetadataService::new(metadata.body))
    }

    /// Keeps sessions for clients whose protocol revision has them, even if nothing of the server needs any: clients can then
    /// cancel a request by its id and come back to a stream that they lost. A server that sends requests to clients keeps
    /// sessions in any case.
    ///
    /// A session lives in this process: with several behind a balancer, each client must come back to the same one. Where
    /// requests are authenticated, say who each is from with a [`Principal`](crate::Principal).
    ///
    /// ```
    /// # use grange_core::Server;
    /// # use grange_http::ServeHttp;
    /// let server = Server::builder("documentation", "1.0.0").build()?;
    /// let service = server.http_service().sessions();
    /// # Ok::<(), grange_core::BuildError>(())
    /// ```
    #[must_use]
    pub fn sessions(mut self) -> Self {
        let shared = Arc::make_mut(&mut self.shared);
        shared.options.sessions = true;
        let limits = shared.server.limits();
        shared.sessions.get_or_insert_with(|| Arc::new(Sessions::new(limits)));
        self
    }

    /// How often a comment goes out on an event stream, so that proxies do not take it for dead. Default 15 s.
    ///
    /// # Panics
    /// On 0.
    #[must_use]
    #[track_caller]
    pub fn keep_alive(self, every: Duration) -> Self {
        self.with(|options| options.set_keep_alive(every))
    }

    /// How long a request body may take to arrive. Default 30 s.
    ///
    /// # Panics
    /// On 0.
    #[must_use]
    #[track_caller]
    pub fn read_timeout(self, time: Duration) -> Self {
        self.with(|options| options.set_read_timeout(time))
    }

    /// Ends the held streams of this service and its clones, each with its last messages: for an application that shuts
    /// down gracefully and would otherwise wait for streams that no client closes. Other requests are still answered.
    ///
    /// ```
    /// # use grange_core::Server;
    /// # use grange_http::ServeHttp;
    /// # let server = Server::builder("documentation", "1.0.0").build()?;
    /// let service = server.http_service();
    /// let streams = service.clone();
    /// let shutdown = async move {
    ///     // … wait for the signal, then:
    ///     streams.end_streams();
    /// };
    /// // axum::serve(listener, app.nest_service("/mcp", service)).with_graceful_shutdown(shutdown)
    /// # drop(shutdown);
    /// # Ok::<(), grange_core::BuildError>(())
    /// ```
    pub fn end_streams(&self) {
        self.shared.capacity.end();
    }

    #[cfg(feature = "serve")]
    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    #[track_caller]
    fn with(mut self, change: impl FnOnce(&mut Options) -> Result<(), String>) -> Self {
        if let Err(problem) = change(&mut Arc::make_mut(&mut self.shared).options) {
            panic!("{problem}");
        }
        self
    }

    /// Starts a request: the head is checked at once, the rest by the future. `proxied`: the request was sent by a trusted proxy.
    pub(crate) fn respond<B: Body>(&self, request: Request<B>, proxied: bool) -> ResponseFuture<B> {
        let (head, body) = request.into_parts();
        let cors = self.shared.options.cors.headers_for(&head.headers);
        ResponseFuture::new(pipeline::receive(&self.shared, head, proxied), body, cors)
    }

    /// The response at a path where nothing is served; `served` is where the service is.
    #[cfg(feature = "serve")]
    pub(crate) fn respond_elsewhere<B>(&self, request: Request<B>, proxied: bool, served: &str) -> ResponseFuture<B> {
        let (head, _) = request.into_parts();
        let cors = self.shared.options.cors.headers_for(&head.headers);
        ResponseFuture::answered(pipeline::receive_elsewhere(&self.shared, head, proxied, served), cors)
    }
}

impl<B: Body> tower_service::Service<Request<B>> for HttpService {
    type Response = Response<ResponseBody>;
    type Error = Infallible;
    type Future = ResponseFuture<B>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> ResponseFuture<B> {
        let proxied = self.shared.options.proxies.trust_sender(request.extensions());
        self.respond(request, proxied)
    }
}

impl fmt::Debug for HttpService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpService").field("server", &self.shared.server).finish_non_exhaustive()
    }
}
