//! The header names that are this protocol's own, and how a check looks headers up.

use grange_core::Header;
use http::header::{AsHeaderName, HeaderMap, HeaderName};

pub(crate) const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
pub(crate) const METHOD: HeaderName = HeaderName::from_static("mcp-method");
pub(crate) const NAME: HeaderName = HeaderName::from_static("mcp-name");
pub(crate) const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
pub(crate) const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
/// What the headers begin with that mirror a tool's arguments.
pub(crate) const PARAMETER_PREFIX: &str = "mcp-param-";

pub(crate) const FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");
pub(crate) const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");
/// Keeps a proxy from collecting an event stream before it passes it on.
pub(crate) const ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// The lines of several headers, found in one pass over all headers of the request.
#[inline]
pub(crate) fn find<'a, const N: usize>(headers: &'a HeaderMap, names: &[HeaderName; N]) -> [Header<'a>; N] {
    let mut found = [Header::Absent; N];
    for (name, value) in headers {
        for (wanted, found) in names.iter().zip(&mut found) {
            if name == wanted {
                *found = if *found == Header::Absent { Header::One(value.as_bytes()) } else { Header::Many };
            }
        }
    }
    found
}

/// The lines of one header.
pub(crate) fn lines(headers: &HeaderMap, name: impl AsHeaderName) -> Header<'_> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Header::Absent,
        (Some(value), None) => Header::One(value.as_bytes()),
        (Some(_), Some(_)) => Header::Many,
    }
}
