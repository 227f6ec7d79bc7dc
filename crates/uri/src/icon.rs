//! Icon sources: `https:`, `http:` or `data:`.
//!
//! A client fetches or decodes an icon and never sends its URI back, so its spelling does not matter as for a resource.
//! The scheme does: a client must not run `javascript:` or open `file:` (2026-07-28 schema, `Icon`). The check does not
//! fetch the URI or decode the data.

use std::error::Error;
use std::fmt;

use crate::mime::{MimeError, check_mime};
use crate::uri::{UriError, check_absolute};

/// Checks an icon source: https:, http: or data: URI.
///
/// ```
/// use grange_uri::check_icon;
///
/// assert!(check_icon("https://example.com/icon.png").is_ok());
/// assert!(check_icon("data:image/png;base64,iVBORw0KGgo=").is_ok());
/// assert_eq!(
///     check_icon("javascript:x").unwrap_err().to_string(),
///     "has the scheme `javascript:`: use `https:`, `http:` or `data:`",
/// );
/// ```
pub fn check_icon(src: &str) -> Result<(), IconError> {
    match check_absolute(src) {
        Err(UriError::Empty) => return Err(IconError::Empty),
        Err(UriError::Relative { .. }) => return Err(IconError::Relative),
        other => other.map_err(IconError::Uri)?,
    }
    let Some((scheme, rest)) = src.split_once(':') else { return Err(IconError::Relative) };
    match scheme.to_ascii_lowercase().as_str() {
        "http" | "https" => check_web(rest),
        "data" => check_data(rest),
        _ => Err(IconError::Scheme { scheme: scheme.to_owned() }),
    }
}

/// Checks an icon size: `48x48`, or `any` for a scalable image.
///
/// ```
/// use grange_uri::check_icon_size;
///
/// assert!(check_icon_size("48x48").is_ok() && check_icon_size("any").is_ok());
/// assert!(check_icon_size("48").is_err());
/// ```
pub fn check_icon_size(size: &str) -> Result<(), IconSizeError> {
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let fits = size == "any" || size.split_once('x').is_some_and(|(width, height)| number(width) && number(height));
    if fits { Ok(()) } else { Err(IconSizeError) }
}

/// An icon size is neither `any` nor a width and a height in pixels.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct IconSizeError;

impl fmt::Display for IconSizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("is neither `any` nor width x height: write it as in `48x48`")
    }
}

impl Error for IconSizeError {}

/// Why an icon source is invalid.
///
/// ```
/// use grange_uri::{IconError, check_icon};
///
/// assert_eq!(check_icon("icon.png"), Err(IconError::Relative));
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum IconError {
    /// The source is empty or only white space.
    Empty,
    /// A `data:` URI with an invalid media type.
    MediaType(MimeError),
    /// A `data:` URI without the comma before its data.
    NoData,
    /// A web address without a host.
    NoHost,
    /// A path without a scheme, which a client cannot resolve.
    Relative,
    /// A scheme that clients must not open.
    Scheme {
        /// The scheme.
        scheme: String,
    },
    /// The source is not a URI.
    Uri(UriError),
}

impl fmt::Display for IconError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "is empty: write it as in `https://example.com/icon.png`"),
            Self::MediaType(error) => write!(f, "has a media type that {error}"),
            Self::NoData => {
                write!(f, "has no comma before its data: write it as in `data:image/png;base64,iVBORw0KGgo=`")
            }
            Self::NoHost => write!(f, "has no host: write it as in `https://example.com/icon.png`"),
            Self::Relative => {
                write!(f, "is relative: write the whole address, as in `https://example.com/icon.png`")
            }
            Self::Scheme { scheme } => {
                write!(f, "has the scheme `{scheme}:`: use `https:`, `http:` or `data:`")
            }
            Self::Uri(error) => error.fmt(f),
        }
    }
}

impl Error for IconError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::MediaType(error) => Some(error),
            Self::Uri(error) => Some(error),
            Self::Empty | Self::NoData | Self::NoHost | Self::Relative | Self::Scheme { .. } => None,
        }
    }
}

/// RFC 9110 section 4.2: an http or https URI with an empty host is invalid.
fn check_web(rest: &str) -> Result<(), IconError> {
    let authority = rest.strip_prefix("//").unwrap_or_default();
    let authority = authority.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    if host.is_empty() || host.starts_with(':') { Err(IconError::NoHost) } else { Ok(()) }
}

/// RFC 2397: `data:[<mediatype>][;base64],<data>`. Parameters are allowed without a type.
fn check_data(rest: &str) -> Result<(), IconError> {
    let (media_type, _) = rest.split_once(',').ok_or(IconError::NoData)?;
    let media_type = media_type.strip_suffix(";base64").unwrap_or(media_type);
    match media_type {
        "" => Ok(()),
        parameters if parameters.starts_with(';') => check_mime(&format!("text/plain{parameters}")),
        media_type => check_mime(media_type),
    }
    .map_err(IconError::MediaType)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(src: &str, expected: &str) {
        let found = check_icon(src).map_or_else(|error| error.to_string(), |()| "ok".to_owned());
        assert_eq!(found, expected, "{src:?}");
    }

    #[test]
    fn accepts_what_clients_can_show() {
        for src in [
            "https://example.com/a.png",
            "HTTP://Example.COM/a/../b.svg?size=48#dark",
            "http://user@[::1]:8080",
            "data:,",
            "data:image/svg+xml,%3Csvg/%3E",
            "data:image/svg+xml;charset=utf-8;base64,AAAA",
            "data:;charset=utf-8,a",
        ] {
            check(src, "ok");
        }
    }

    #[test]
    fn every_error_has_a_remedy() {
        check("icon.png", "is relative: write the whole address, as in `https://example.com/icon.png`");
        check("", "is empty: write it as in `https://example.com/icon.png`");
        check("https://e.com/a b", "has a space: write `https://e.com/a%20b`");
        check("file:///a.png", "has the scheme `file:`: use `https:`, `http:` or `data:`");
        check("javascript:x", "has the scheme `javascript:`: use `https:`, `http:` or `data:`");
        for src in ["https:a.png", "https:///a.png", "http://:80/", "http://u@/"] {
            check(src, "has no host: write it as in `https://example.com/icon.png`");
        }
        check(
            "data:image/png;base64",
            "has no comma before its data: write it as in `data:image/png;base64,iVBORw0KGgo=`",
        );
        check(
            "data:image/svg+xml;utf8,a",
            "has a media type that has no value for its parameter `utf8`: write `utf8=…` or leave it out",
        );
    }

    #[test]
    fn sizes_are_two_numbers_or_any() {
        for size in ["48x48", "1x1", "1024x768", "any"] {
            assert_eq!(check_icon_size(size), Ok(()), "{size}");
        }
        for size in ["", "48", "x48", "48x", "48X48", "48 x 48", "-1x1", "1x1x1", "ANY"] {
            assert_eq!(check_icon_size(size), Err(IconSizeError), "{size}");
        }
    }

    #[test]
    fn the_inner_error_is_the_source() {
        let source = |src: &str| check_icon(src).unwrap_err().source().map(ToString::to_string);
        assert_eq!(source("data:png,a").as_deref(), Some("has no subtype: write it as in `image/png`"));
        assert_eq!(source("a:%").as_deref(), Some(check_absolute("a:%").unwrap_err().to_string().as_str()));
        assert_eq!(source("a.png"), None);
    }
}
