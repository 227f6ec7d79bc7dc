//! The tower service, and how one is built. What it does with a request is in `pipeline.rs`, its settings are in `config.rs`.

use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;
use std::task::{Context, Poll};

use grange_core::{Error, Server};
use http::{Request, Response};
use http_body::Body;

use crate::client_watch::AnswerWatch;
use crate::config::HttpConfig;
use crate::future::ResponseFuture;
use crate::metadata::MetadataService;
use crate::options::Options;
use crate::pipeline;
use crate::response::ResponseBody;
use crate::shared::Shared;

/// The settings of a service to mount; see [`HttpService::builder`].
pub type HttpServiceBuilder = HttpConfig<Mount>;

/// What the settings of an [`HttpServiceBuilder`] configure: the service of one server.
#[derive(Debug)]
pub struct Mount {
    server: Server,
}

impl HttpConfig<Mount> {
    /// The service with these settings.
    ///
    /// # Errors
    /// [`Error::Config`] with all mistakes in the settings, each with its remedy.
    pub fn build(self) -> Result<HttpService, Error> {
        let (options, Mount { server }) = self.checked()?;
        Ok(HttpService::with(server, options))
    }
}

/// A [`Server`] as a tower service, which answers at whatever path it is mounted: for axum, plain hyper or anything else that speaks
/// tower. Cheap to clone; the clones share their limits and their end.
///
/// It takes any request body and never fails: a request that is wrong gets an HTTP response. It needs a tokio runtime with its clock.
///
/// ```
/// use grange_core::{Resource, Server};
/// use grange_http::HttpService;
///
/// let guide = Resource::builder().uri("docs://guide").name("guide").text("# Guide").build();
/// let server = Server::builder("documentation", "1.0.0").resource(guide).build()?;
/// let service = HttpService::new(server);
/// // axum: Router::new().nest_service("/mcp", service)
/// # Ok::<(), grange_core::BuildError>(())
/// ```
#[derive(Clone)]
pub struct HttpService {
    shared: Arc<Shared>,
}

impl HttpService {
    /// The service with its default settings. It answers only to this machine's own names, as [`builder`](Self::builder) says.
    pub fn new(server: Server) -> Self {
        Self::with(server, Options::default())
    }

    /// Settings for the service, to be ended with [`build`](HttpConfig::build).
    ///
    /// The service has no address of its own, so it is careful: without [`public_hosts`](HttpConfig::public_hosts) or
    /// [`behind_proxy`](HttpConfig::behind_proxy) it answers only to this machine's own names (`localhost`, 127.0.0.0/8, `[::1]`).
    ///
    /// ```
    /// use grange_core::{Error, Server};
    /// use grange_http::HttpService;
    ///
    /// # fn main() -> Result<(), Error> {
    /// let server = Server::builder("documentation", "1.0.0").build()?;
    /// let service = HttpService::builder(server).public_hosts(["mcp.example.com"]).build()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn builder(server: Server) -> HttpServiceBuilder {
        HttpConfig::new(Mount { server })
    }

    pub(crate) fn with(server: Server, options: Options) -> Self {
        Self { shared: Arc::new(Shared::new(server, options)) }
    }

    /// The service of the document that tells clients how to get a token, to be mounted at the `paths` of the authenticator's
    /// [`ResourceMetadata`](crate::ResourceMetadata); `None` if it has none.
    pub fn metadata_service(&self) -> Option<MetadataService> {
        let metadata = self.shared.options.authenticator.as_ref()?.0.metadata()?;
        Some(MetadataService::new(metadata.body))
    }

    /// Ends the held streams of this service and its clones, each with its last messages: for an application that shuts
    /// down gracefully and would otherwise wait for streams that no client closes. Other requests are still answered.
    ///
    /// ```
    /// # use grange_core::Server;
    /// # use grange_http::HttpService;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), grange_core::Error> {
    /// # let server = Server::builder("documentation", "1.0.0").build()?;
    /// let service = HttpService::new(server);
    /// let streams = service.clone();
    /// let signal = grange_http::shutdown_signal()?;
    /// let shutdown = async move {
    ///     signal.await;
    ///     streams.end_streams();
    /// };
    /// // axum::serve(listener, app.nest_service("/mcp", service)).with_graceful_shutdown(shutdown)
    /// # drop(shutdown);
    /// # Ok(())
    /// # }
    /// ```
    pub fn end_streams(&self) {
        self.shared.capacity.end();
    }

    #[cfg(feature = "serve")]
    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// Starts a request: the head is checked at once, the rest by the future. `proxied`: the request was sent by a trusted proxy.
    pub(crate) fn respond<B: Body>(
        &self,
        request: Request<B>,
        proxied: bool,
        client: AnswerWatch,
    ) -> ResponseFuture<B> {
        let (head, body) = request.into_parts();
        let cors = self.shared.options.cors.headers_for(&head.headers);
        ResponseFuture::new(pipeline::receive(&self.shared, head, proxied, client), body, cors)
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
        self.respond(request, proxied, AnswerWatch::default())
    }
}

impl fmt::Debug for HttpService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpService").field("server", &self.shared.server).finish_non_exhaustive()
    }
}
