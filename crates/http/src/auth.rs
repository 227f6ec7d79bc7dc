//! Who a request is from: the seam for authentication, and what comes of it.
//!
//! An [`Authenticator`] runs once for each request, after host and origin were checked and **before anything else is looked at or
//! waited for**: no body is read, no session is found and no code of an author runs for a request that it denies. The method is
//! looked at later: clients look for the challenge with GET or HEAD.
//! Not here: tokens and how they are verified.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use http::header::{AUTHORIZATION, HeaderName, HeaderValue};
use http::request::Parts;
use http::{Extensions, Response, StatusCode};

use crate::body::ResponseBody;
use crate::principal::Principal;
use crate::rejection::Refused;

/// Says who a request is from; see [`HttpService::authenticator`](crate::HttpService::authenticator).
pub trait Authenticator: Send + Sync + 'static {
    /// Looks at the head of a request. It must come to an end by itself; what takes longer than the service's `read_timeout` is
    /// denied.
    fn authenticate(&self, head: &Parts) -> Authenticating;

    /// The `WWW-Authenticate` of an answer to a request whose code found that its token lacks these scopes.
    fn step_up(&self, scopes: &str) -> HeaderValue;

    /// The header that credentials come in. Pages of other origins may send it where CORS is on.
    fn header(&self) -> HeaderName {
        AUTHORIZATION
    }

    /// The document by which clients find out how to get a token, if there is one.
    fn metadata(&self) -> Option<ResourceMetadata> {
        None
    }
}

/// The future of [`Authenticator::authenticate`].
pub type Authenticating = Pin<Box<dyn Future<Output = Result<Identity, Denied>> + Send>>;

/// A document that anybody may read, from any page: the metadata of a protected resource (RFC 9728).
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ResourceMetadata {
    /// The paths of the URL that it is at, as in `/.well-known/oauth-protected-resource/mcp`.
    pub paths: Vec<String>,
    /// JSON.
    pub body: Bytes,
}

/// Who a request is from. Sessions belong to the principal; everything else is for readers and tools.
#[derive(Clone)]
pub struct Identity {
    principal: Principal,
    extensions: Extensions,
}

impl Identity {
    /// Somebody with that name, which no two of them share.
    ///
    /// ```
    /// use grange_http::Identity;
    /// #[derive(Clone)]
    /// struct Team(&'static str);
    /// let identity = Identity::new("alice").with(Team("docs"));
    /// ```
    pub fn new(principal: impl Into<Arc<str>>) -> Self {
        Self { principal: Principal::new(principal), extensions: Extensions::new() }
    }

    /// Adds a value for readers and tools, which find it by its type:
    /// `cx.peer::<http::request::Parts>()?.extensions.get::<T>()`.
    #[must_use]
    pub fn with<T: Clone + Send + Sync + 'static>(mut self, value: T) -> Self {
        self.extensions.insert(value);
        self
    }

    /// Puts it into the head of its request, as the service does: for a middleware that asks an authenticator itself, so that other
    /// layers and routes know who it is too. The service behind it needs none then.
    pub fn enter(self, head: &mut Parts) {
        head.extensions.extend(self.extensions);
        head.extensions.insert(self.principal);
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Identity").finish_non_exhaustive()
    }
}

/// Why a request is not worked on, and what its client can do.
#[derive(Clone, Debug)]
pub struct Denied {
    pub(crate) status: StatusCode,
    pub(crate) challenge: Option<HeaderValue>,
    pub(crate) message: String,
}

impl Denied {
    /// The credentials are not sent as they must be, as in two headers (400). The challenge is the `WWW-Authenticate` header; the
    /// message goes to the client.
    pub fn bad_request(challenge: HeaderValue, message: impl Into<String>) -> Self {
        Self { status: StatusCode::BAD_REQUEST, challenge: Some(challenge), message: message.into() }
    }

    /// There is no valid token (401). The challenge is the `WWW-Authenticate` header; the message goes to the client.
    pub fn unauthorized(challenge: HeaderValue, message: impl Into<String>) -> Self {
        Self { status: StatusCode::UNAUTHORIZED, challenge: Some(challenge), message: message.into() }
    }

    /// The token is valid and not enough (403).
    pub fn forbidden(challenge: HeaderValue, message: impl Into<String>) -> Self {
        Self { status: StatusCode::FORBIDDEN, challenge: Some(challenge), message: message.into() }
    }

    /// Nobody can say now (503): what verifies tokens is out of reach.
    pub fn unavailable(message: impl Into<String>) -> Self {
        Self { status: StatusCode::SERVICE_UNAVAILABLE, challenge: None, message: message.into() }
    }

    /// The response, as the service gives it: for a middleware that asks an authenticator itself.
    pub fn into_response(self) -> Response<ResponseBody> {
        Refused::Denied(self).into_response()
    }
}
