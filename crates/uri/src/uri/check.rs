//! The two public URI checks, and one for templates.
//!
//! They differ by who reads the URI. A client sends a declared URI back, and it is matched byte for byte, so a resource
//! whose URI a client's URL library rewrites could not be read: [`check_resource`] rejects such a spelling. The URI of
//! a content item is only displayed, and often computed or from elsewhere: [`check_absolute`] requires only RFC 3986.

use super::error::UriError;
use super::syntax::Subject;
use super::{respell, spelling, syntax};

/// Checks a resource URI that an author declares: absolute RFC 3986, and spelled so that no client library
/// rewrites it.
///
/// ```
/// use grange_uri::check_resource;
///
/// assert!(check_resource("urn:isbn:0451450523").is_ok());
///
/// let error = check_resource("http://Panel/View").unwrap_err();
/// assert_eq!(error.suggestion(), Some("http://panel/View"));
/// ```
pub fn check_resource(uri: &str) -> Result<(), UriError> {
    let subject = Subject::new(uri, respell::resource);
    let parsed = syntax::parse(subject)?;
    spelling::check(subject, parsed)
}

/// The same check, with errors that suggest no spelling.
pub(crate) fn check_resource_silently(uri: &str) -> Result<(), UriError> {
    let subject = Subject::silent(uri);
    let parsed = syntax::parse(subject)?;
    spelling::check(subject, parsed)
}

/// Checks a content item's URI: absolute RFC 3986 only, a fragment included.
///
/// ```
/// use grange_uri::check_absolute;
///
/// assert!(check_absolute("HTTPS://Example.com:443/a/../b").is_ok());
/// assert_eq!(
///     check_absolute("foo/bar").unwrap_err().to_string(),
///     "is relative: start it with a scheme, as in `docs://foo/bar`",
/// );
/// ```
pub fn check_absolute(uri: &str) -> Result<(), UriError> {
    syntax::parse(Subject::new(uri, respell::absolute)).map(|_| ())
}
