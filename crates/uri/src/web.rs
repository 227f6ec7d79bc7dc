//! URLs in a configuration: of a website, an issuer, a key set.
//!
//! They are not resources, so the error texts are about `https` and not about the author's own schemes. The caller
//! decides whether it must be `https`.

use std::error::Error;
use std::fmt;

use crate::uri::{UriError, check_absolute};

/// Why a web URL is invalid.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum WebUrlError {
    /// The string is empty.
    Empty,
    /// The URL has no scheme.
    NoScheme {
        /// The same URL with a scheme, if that is valid.
        suggestion: Option<String>,
    },
    /// The URL has a `{…}` placeholder that was not replaced.
    Placeholder {
        /// The placeholder, braces included.
        placeholder: String,
    },
    /// The string is not a URI.
    Uri(UriError),
}

impl fmt::Display for WebUrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("is empty: write it as in `https://example.com`"),
            Self::NoScheme { suggestion: Some(suggestion) } => write!(f, "has no scheme: write `{suggestion}`"),
            Self::NoScheme { suggestion: None } => f.write_str("has no scheme: write it as in `https://example.com`"),
            Self::Placeholder { placeholder } => {
                write!(f, "has the placeholder `{}`: write what it stands for", placeholder.escape_debug())
            }
            Self::Uri(error) => error.fmt(f),
        }
    }
}

impl Error for WebUrlError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Uri(error) => Some(error),
            _ => None,
        }
    }
}

/// Checks an absolute web URL.
///
/// ```
/// use grange_uri::check_web_url;
///
/// assert!(check_web_url("https://issuer.example.com").is_ok());
/// assert_eq!(
///     check_web_url("issuer.example.com").unwrap_err().to_string(),
///     "has no scheme: write `https://issuer.example.com`",
/// );
/// ```
///
/// # Errors
/// The first problem.
pub fn check_web_url(url: &str) -> Result<(), WebUrlError> {
    let no_scheme = || {
        let host = url.strip_prefix("//").unwrap_or(url);
        let is_host = host.starts_with(|first: char| first.is_ascii_alphanumeric());
        let suggestion = Some(format!("https://{host}")).filter(|url| is_host && check_absolute(url).is_ok());
        Err(WebUrlError::NoScheme { suggestion })
    };
    match check_absolute(url) {
        Ok(()) if begins_with_port(url) => no_scheme(),
        Ok(()) => Ok(()),
        Err(UriError::Empty) => Err(WebUrlError::Empty),
        Err(UriError::Relative { .. }) => no_scheme(),
        Err(UriError::Template { expression }) => Err(WebUrlError::Placeholder { placeholder: expression }),
        Err(error) => Err(WebUrlError::Uri(error)),
    }
}

/// Whether the string is like `host:8443`, which the grammar parses as a scheme and a path.
fn begins_with_port(url: &str) -> bool {
    let Some((host, rest)) = url.split_once(':') else { return false };
    let port = rest.split(['/', '?', '#']).next().unwrap_or_default();
    !host.is_empty() && !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::check_web_url;

    #[test]
    fn error_texts_are_about_web_urls() {
        for (url, expected) in [
            ("", "is empty: write it as in `https://example.com`"),
            ("issuer.example.com", "has no scheme: write `https://issuer.example.com`"),
            ("issuer.example.com/tenant/", "has no scheme: write `https://issuer.example.com/tenant/`"),
            ("//issuer.example.com", "has no scheme: write `https://issuer.example.com`"),
            ("issuer.example.com:8443", "has no scheme: write `https://issuer.example.com:8443`"),
            ("localhost:3000/realms/a", "has no scheme: write `https://localhost:3000/realms/a`"),
            ("/realms/a", "has no scheme: write it as in `https://example.com`"),
            ("?a", "has no scheme: write it as in `https://example.com`"),
            ("not a url", "has no scheme: write it as in `https://example.com`"),
            ("https://{tenant}.example.com", "has the placeholder `{tenant}`: write what it stands for"),
            ("https://a b.example.com", "has a space: write `https://a%20b.example.com`"),
        ] {
            let error = check_web_url(url).expect_err(url).to_string();
            assert_eq!(error, expected, "{url}");
            assert!(!error.contains("docs://") && !error.contains("template"), "{error}");
        }
    }

    #[test]
    fn any_absolute_url_passes() {
        for url in
            ["https://example.com", "HTTP://[::1]:81/a?b#c", "ftp://example.com", "mailto:a@example.com", "tel:1a"]
        {
            assert_eq!(check_web_url(url), Ok(()), "{url}");
        }
    }
}
