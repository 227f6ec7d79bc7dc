//! The claims of the caller, for readers and tools.

use grange_core::Context;
use http::request::Parts;

use crate::claims::Claims;

/// The claims of the caller, which the server's authenticator verified; `None` outside HTTP, and without an authenticator.
///
/// ```
/// use grange_auth::auth;
/// use grange_core::{Context, ReadError};
///
/// async fn notes(cx: Context) -> Result<String, ReadError> {
///     let claims = auth(&cx).ok_or_else(ReadError::not_found)?;
///     Ok(format!("# Notes of {}", claims.subject()))
/// }
/// ```
pub fn auth(cx: &Context) -> Option<&Claims> {
    cx.peer::<Parts>()?.extensions.get()
}
