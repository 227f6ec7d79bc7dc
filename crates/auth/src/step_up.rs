//! Scopes that a single resource or tool needs. The rejection asks a client whose token lacks them to get a token with more scopes.

use grange_core::{Context, ReadError};

use crate::access::auth;

/// Checks that the caller's token has these scopes, separated by spaces. Name all that the reader or tool needs, so that the client
/// requests them at once. Without an authenticator no caller has any.
///
/// ```
/// use grange_auth::require_scope;
/// use grange_core::{Context, ReadError};
///
/// async fn drafts(cx: Context) -> Result<&'static str, ReadError> {
///     require_scope(&cx, "drafts:read")?;
///     Ok("# Drafts")
/// }
/// ```
///
/// # Errors
/// [`ReadError::missing_scopes`]: the client gets 403, with a challenge that names the scopes.
pub fn require_scope(cx: &Context, scopes: &str) -> Result<(), ReadError> {
    let has = |scope: &str| auth(cx).is_some_and(|claims| claims.has_scope(scope));
    if scopes.split_ascii_whitespace().all(has) { Ok(()) } else { Err(ReadError::missing_scopes(scopes.to_owned())) }
}
