//! What the small server answers at each path: the service, the metadata document, or 404.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;

use http::{Request, Response};
use hyper::body::Incoming;

use crate::check::cors::CorsHeaders;
use crate::client_watch::{AnswerWatch, ClientWatch};
use crate::future::ResponseFuture;
use crate::metadata::MetadataService;
use crate::rejection::Rejection;
use crate::response::ResponseBody;
use crate::service::HttpService;
use crate::shared::Shared;

/// In one head. hyper has the same limit for HTTP/1, and none for HTTP/2.
const MOST_FIELDS: usize = 100;

/// The service at its path.
#[derive(Clone)]
pub(crate) struct Endpoint {
    service: HttpService,
    /// Whether the peer of the connection is a trusted proxy.
    proxied: bool,
    /// For the socket. `None` over HTTP/2, which has a message for the end of one request.
    client: Option<ClientWatch>,
    /// Without a slash at its end.
    path: Arc<str>,
    /// The document that tells clients how to get a token, and its paths.
    metadata: Option<Arc<(Vec<String>, MetadataService)>>,
}

impl Endpoint {
    pub(crate) fn new(service: HttpService, path: &str) -> Self {
        let authenticator = service.shared().options.authenticator.as_ref();
        let metadata = authenticator.and_then(|authenticator| authenticator.0.metadata());
        let metadata = metadata.map(|metadata| Arc::new((metadata.paths, MetadataService::new(metadata.body))));
        Self { service, proxied: false, client: None, path: path.strip_suffix('/').unwrap_or(path).into(), metadata }
    }

    /// The same for one connection, with this peer. One without an address is no trusted proxy.
    pub(crate) fn of_connection(self, peer: Option<IpAddr>) -> Self {
        let proxied = peer.is_some_and(|peer| self.service.shared().options.proxies.trust(peer));
        Self { proxied, ..self }
    }

    /// The same for a connection whose socket watches the client.
    pub(crate) fn with_watch(self, client: ClientWatch) -> Self {
        Self { client: Some(client), ..self }
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        self.service.shared()
    }

    /// The same over HTTP/2, where a few bytes can be a head of thousands of fields, and each field takes memory.
    pub(crate) fn call_http2(&self, request: Request<Incoming>) -> ResponseFuture<Incoming> {
        let sent = request.headers().len();
        if sent > MOST_FIELDS {
            let rejection = Rejection::TooManyFields { sent, limit: MOST_FIELDS };
            return ResponseFuture::answered(rejection.into_response(), CorsHeaders::default());
        }
        hyper::service::Service::call(self, request)
    }

    fn watch(&self) -> AnswerWatch {
        self.client.as_ref().map(ClientWatch::answer).unwrap_or_default()
    }

    fn serves(&self, path: &str) -> bool {
        path.strip_suffix('/').unwrap_or(path) == &*self.path
    }
}

impl hyper::service::Service<Request<Incoming>> for Endpoint {
    type Response = Response<ResponseBody>;
    type Error = Infallible;
    type Future = ResponseFuture<Incoming>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        if self.serves(request.uri().path()) {
            return self.service.respond(request, self.proxied, self.watch());
        }
        if let Some((paths, metadata)) = self.metadata.as_deref()
            && paths.iter().any(|path| path == request.uri().path())
        {
            return ResponseFuture::answered(metadata.answer(&request), CorsHeaders::default());
        }
        let served = if self.path.is_empty() { "/" } else { &self.path };
        self.service.respond_elsewhere(request, self.proxied, served)
    }
}
