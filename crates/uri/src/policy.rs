//! Origins as a content security policy names them, for the views of MCP Apps.
//!
//! Narrower than the grammar of content security policies: an accepted string is one origin, or all subdomains of one
//! host, and nothing else, since a host pastes it into a policy.

use std::error::Error;
use std::fmt;
use std::net::Ipv6Addr;

/// Why an origin is invalid.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum PolicyOriginError {
    /// The origin has no scheme.
    NoScheme,
    /// The scheme is not one that a view can load from.
    Scheme,
    /// The host is not a lower-case host name, or is followed by something other than a port.
    Host,
    /// The port is not a number below 65536.
    Port,
}

impl fmt::Display for PolicyOriginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problem = match self {
            Self::NoScheme => "has no scheme",
            Self::Scheme => "has a scheme other than http, https, ws and wss",
            Self::Host => "has no plain host in lower case; a path, a query and a lone `*` are none",
            Self::Port => "has a port that is none",
        };
        write!(f, "{problem}: write it as in `https://api.example.com` or `https://*.example.com`")
    }
}

impl Error for PolicyOriginError {}

/// Checks an origin of a content security policy: a scheme, a host (with `*.` before it for all subdomains), and an
/// optional port.
///
/// ```
/// use grange_uri::check_policy_origin;
/// assert!(check_policy_origin("https://*.example.com").is_ok());
/// let error = check_policy_origin("api.example.com").unwrap_err();
/// assert!(error.to_string().starts_with("has no scheme: write it as in `https://"));
/// ```
///
/// # Errors
/// The first problem.
pub fn check_policy_origin(origin: &str) -> Result<(), PolicyOriginError> {
    let (scheme, rest) = origin.split_once("://").ok_or(PolicyOriginError::NoScheme)?;
    if !matches!(scheme, "http" | "https" | "ws" | "wss") {
        return Err(PolicyOriginError::Scheme);
    }
    let (host, port) = rest.rsplit_once(':').filter(|_| !rest.ends_with(']')).unwrap_or((rest, "0"));
    if port.is_empty() || !port.bytes().all(|byte| byte.is_ascii_digit()) || port.parse::<u16>().is_err() {
        return Err(PolicyOriginError::Port);
    }
    let host = host.strip_prefix("*.").unwrap_or(host);
    let is_host = match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(address) => address.parse::<Ipv6Addr>().is_ok(),
        None => host.split('.').all(is_label),
    };
    if is_host { Ok(()) } else { Err(PolicyOriginError::Host) }
}

fn is_label(label: &str) -> bool {
    !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn accepts_origins_and_rejects_similar_strings() {
        for origin in [
            "https://api.example.com",
            "http://localhost:3000",
            "wss://*.example.com",
            "http://[::1]:8080",
            "http://127.0.0.1",
        ] {
            assert_eq!(check_policy_origin(origin), Ok(()), "{origin}");
        }
        for wrong in [
            "",
            "*",
            "api.example.com",
            "https://",
            "https://*",
            "https://a.example/path",
            "https://a.example?x",
            "https://a.example;script-src *",
            "https://a.example https://b.example",
            "data:",
            "ftp://a.example",
            "https://a..example",
            "https://A.example",
            "https://a.example:",
            "https://a.example:70000",
            "https://user@a.example",
            "https://*.*.example",
            "http://[::1",
            "https://a.example\nscript-src",
            "https://'unsafe-eval'",
        ] {
            assert!(check_policy_origin(wrong).is_err(), "{wrong}");
        }
    }

    proptest! {
        /// An accepted origin adds only itself to a policy.
        #[test]
        fn an_accepted_origin_cannot_break_out_of_a_policy(origin in ".{0,40}|(https?|wss?)://[a-z*.:\\[\\]0-9;, '/]{0,20}") {
            if check_policy_origin(&origin).is_ok() {
                prop_assert!(!origin.contains([';', ',', ' ', '\'', '"', '\n', '\r']), "{:?}", origin);
            }
        }
    }
}
