//! What the small server answers at each path: the service, the metadata document, or 404.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;

use http::{Request, Response};
use hyper::body::Incoming;

use crate::check::cors::CorsHeaders;
use crate::future::ResponseFuture;
use crate::metadata::MetadataService;
use crate::response::ResponseBody;
use crate::service::HttpService;
use crate::shared::Shared;

/// The service at its path.
#[derive(Clone)]
pub(crate) struct Endpoint {
    service: HttpService,
    /// Whether the peer of the connection is a trusted proxy.
    proxied: bool,
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
        Self { service, proxied: false, path: path.strip_suffix('/').unwrap_or(path).into(), metadata }
    }

    /// The same for one connection, with this peer. One without an address is no trusted proxy.
    pub(crate) fn of_connection(self, peer: Option<IpAddr>) -> Self {
        let proxied = peer.is_some_and(|peer| self.service.shared().options.proxies.trust(peer));
        Self { proxied, ..self }
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        self.service.shared()
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
            return self.service.respond(request, self.proxied);
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
