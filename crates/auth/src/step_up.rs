//! Scopes that a single resource or tool needs: a client whose token lacks them is told to come back with more.

use grange_core::{Context, ReadError};

use crate::access::auth;

/// Goes on only if whoever asks has the scopes, separated by spaces; name all that the work needs, so that the client asks for
/// them in one go. Nobody has any where nobody authenticates.
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
pub fn require_scope(cx: &Context, scopes: &str) -> Result<(), ReadError> {
    let has = |scope: &str| auth(cx).is_some_and(|claims| claims.has_scope(scope));
    if scopes.split_ascii_whitespace().all(has) { Ok(()) } else { Err(ReadError::missing_scopes(scopes.to_owned())) }
}
