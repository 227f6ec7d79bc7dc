//! The document by which clients find out how to get a token. It is public: served to every client and readable by every page.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{Method, Request, Response};

use crate::check::cors::{self, CorsHeaders};
use crate::rejection::Rejection;
use crate::response::{self, ResponseBody};

/// A tower service that answers with the metadata of the protected resource (RFC 9728), wherever it is mounted; see
/// [`HttpService::metadata_service`](crate::HttpService::metadata_service).
///
/// The small server answers at the right paths by itself.
#[derive(Clone, Debug)]
pub struct MetadataService {
    body: Bytes,
}

impl MetadataService {
    pub(crate) fn new(body: Bytes) -> Self {
        Self { body }
    }

    pub(crate) fn answer<B>(&self, request: &Request<B>) -> Response<ResponseBody> {
        let mut response = match *request.method() {
            Method::GET | Method::HEAD => response::document(self.body.clone()),
            Method::OPTIONS => response::preflight(cors::preflight(request.headers(), "GET", None)),
            ref method => Rejection::OnlyGet(method.clone()).into_response(),
        };
        CorsHeaders::for_every_page().add_to(response.headers_mut());
        response
    }
}

impl<B> tower_service::Service<Request<B>> for MetadataService {
    type Response = Response<ResponseBody>;
    type Error = Infallible;
    type Future = Ready<Result<Response<ResponseBody>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        ready(Ok(self.answer(&request)))
    }
}
