//! The principal of a request: the owner of its session.

use std::sync::Arc;

/// Who a request is from. An [`Authenticator`](crate::Authenticator) gives it, or a middleware that authenticates requests puts it into
/// the request's extensions before the service gets the request.
///
/// A session belongs to the principal that opened it; to any other, its id is one that does not exist. The name must be
/// one that only this principal has, such as the issuer and subject of a token.
///
/// ```
/// use grange_http::Principal;
/// # let mut request = http::Request::new(());
/// // In a middleware, once the token was checked:
/// request.extensions_mut().insert(Principal::new("https://issuer.example.com|alice"));
/// ```
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Principal(Arc<str>);

impl Principal {
    /// The principal of that name.
    pub fn new(name: impl Into<Arc<str>>) -> Self {
        Self(name.into())
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.0
    }
}
