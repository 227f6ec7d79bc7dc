//! The interface for authentication: who a request is from, or why it is rejected.
//!
//! An [`Authenticator`] runs once for each request, after host and origin were checked and **before anything else is read or awaited**:
//! for a rejected request no body is read, no session is looked up and no reader or tool runs. The method is checked later, since
//! clients look for the challenge with GET or HEAD.
//! Not here: tokens and how they are verified.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use http::Extensions;
use http::header::{AUTHORIZATION, HeaderName, HeaderValue};
use http::request::Parts;

use crate::principal::Principal;

/// Finds out who a request is from; see [`HttpConfig::authenticator`](crate::HttpConfig::authenticator).
///
/// The trait is used as an object, so `async fn` needs the attribute of the crate `async-trait`, which is re-exported here.
///
/// ```
/// use grange_http::{AuthRejection, Authenticator, Identity, async_trait};
/// use http::header::{AUTHORIZATION, HeaderValue};
/// use http::request::Parts;
///
/// struct OneKey;
///
/// #[async_trait]
/// impl Authenticator for OneKey {
///     async fn authenticate(&self, head: &Parts) -> Result<Identity, AuthRejection> {
///         match head.headers.get(AUTHORIZATION) {
///             Some(key) if key == "Bearer open-sesame" => Ok(Identity::new("docs-team")),
///             _ => Err(AuthRejection::unauthorized(HeaderValue::from_static("Bearer"), "send the team's key")),
///         }
///     }
///
///     fn step_up(&self, _scopes: &str) -> HeaderValue {
///         HeaderValue::from_static("Bearer error=\"insufficient_scope\"")
///     }
/// }
/// ```
#[async_trait]
pub trait Authenticator: Send + Sync + 'static {
    /// Looks at the head of a request. It must end by itself: a request whose authentication takes longer than the service's
    /// `read_timeout` is rejected.
    ///
    /// # Errors
    /// Why the request is rejected; the service answers with it.
    async fn authenticate(&self, head: &Parts) -> Result<Identity, AuthRejection>;

    /// The `WWW-Authenticate` header of the response where a reader or tool found that the caller's token lacks these scopes.
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

/// The authentication of one request. It owns the head, and gives it back with the identity in it.
pub(crate) type Authenticating = Pin<Box<dyn Future<Output = Result<Parts, AuthRejection>> + Send>>;

/// Begins the authentication of a request.
pub(crate) fn authenticate(authenticator: &Arc<dyn Authenticator>, mut head: Parts) -> Authenticating {
    let authenticator = authenticator.clone();
    Box::pin(async move {
        let identity = authenticator.authenticate(&head).await?;
        identity.insert_into(&mut head);
        Ok(head)
    })
}

/// A public document, readable by every page: the metadata of a protected resource (RFC 9728).
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ResourceMetadata {
    /// The paths of the URL that it is at, as in `/.well-known/oauth-protected-resource/mcp`.
    pub paths: Vec<String>,
    /// JSON.
    pub body: Bytes,
}

/// Who a request is from. Sessions belong to its principal; its other values are for readers and tools.
#[derive(Clone)]
pub struct Identity {
    principal: Principal,
    extensions: Extensions,
}

impl Identity {
    /// An identity with this unique principal.
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

    /// Inserts the identity into the head of its request, as the service does. For a middleware that runs an authenticator itself, so
    /// that other layers and routes know the caller too; the service behind it then needs no authenticator.
    pub fn insert_into(self, head: &mut Parts) {
        head.extensions.extend(self.extensions);
        head.extensions.insert(self.principal);
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Identity").finish_non_exhaustive()
    }
}

/// Why a request is rejected, and what its client can do.
#[derive(Clone, Debug)]
pub struct AuthRejection {
    pub(crate) problem: AuthProblem,
    pub(crate) challenge: Option<HeaderValue>,
    pub(crate) message: String,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum AuthProblem {
    BadRequest,
    Unauthorized,
    Forbidden,
    Unavailable,
}

impl AuthRejection {
    /// The credentials are not sent as they must be, as in two headers (400). The challenge is the `WWW-Authenticate` header; the
    /// message goes to the client.
    pub fn bad_request(challenge: HeaderValue, message: impl Into<String>) -> Self {
        Self::new(AuthProblem::BadRequest, Some(challenge), message.into())
    }

    /// The request has no valid token (401). The challenge is the `WWW-Authenticate` header; the message goes to the client.
    pub fn unauthorized(challenge: HeaderValue, message: impl Into<String>) -> Self {
        Self::new(AuthProblem::Unauthorized, Some(challenge), message.into())
    }

    /// The token is valid, but does not permit the request (403). The challenge is the `WWW-Authenticate` header; the message goes to
    /// the client.
    pub fn forbidden(challenge: HeaderValue, message: impl Into<String>) -> Self {
        Self::new(AuthProblem::Forbidden, Some(challenge), message.into())
    }

    /// Tokens cannot be verified at present (503): the service that verifies them cannot be reached. The message goes to the client.
    pub fn unavailable(message: impl Into<String>) -> Self {
        Self::new(AuthProblem::Unavailable, None, message.into())
    }

    fn new(problem: AuthProblem, challenge: Option<HeaderValue>, message: String) -> Self {
        Self { problem, challenge, message }
    }
}
