//! URLs of the web that a configuration names: of a website, an issuer, a key set.
//!
//! Nobody reads these back as resources, so the words are about `https` and not about schemes of one's own. Whether it must be
//! `https` is for whoever asks.

use std::error::Error;
use std::fmt;

use crate::uri::{UriError, check_absolute};

/// Why a URL of the web was refused.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum WebUrlError {
    /// There is nothing.
    Empty,
    /// It has no scheme.
    NoScheme {
        /// The same with one, if that is a URL.
        suggestion: Option<String>,
    },
    /// It has a `{…}` in which somebody was to write something.
    Placeholder {
        /// Braces included.
        placeholder: String,
    },
    /// It is no URI.
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

/// Checks that something is an absolute URL, in words for URLs of the web.
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
/// The first fault.
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

/// Whether it is `host:8443`, which by the grammar is a scheme and a path.
fn begins_with_port(url: &str) -> bool {
    let Some((host, rest)) = url.split_once(':') else { return false };
    let port = rest.split(['/', '?', '#']).next().unwrap_or_default();
    !host.is_empty() && !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::check_web_url;

    #[test]
    fn what_is_refused_is_told_in_words_of_the_web() {
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
