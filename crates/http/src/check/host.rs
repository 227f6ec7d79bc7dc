//! The `Host` check, against DNS rebinding: which hosts clients may address. The `Origin` check, against pages that reach the server
//! through a browser: which pages may send requests.
//!
//! **Hosts that the author names must match exactly; without any, only this machine's own names are served.** Requests without `Origin`
//! come from no page and pass. Neither check considers the other header: a rebound page has an `Origin` that equals `Host`, so the one
//! proves nothing about the other.

use grange_core::Header;
use http::Version;
use http::request::Parts;
use http::uri::{Authority, Uri};

use super::authority::{contains, is_authority, is_loopback, split};
use crate::rejection::Rejection;

/// The allowed hosts.
#[derive(Debug)]
pub(crate) struct Hosts {
    /// Whether this machine's own names are allowed, with any port.
    loopback: bool,
    any: bool,
    names: Vec<String>,
}

impl Default for Hosts {
    fn default() -> Self {
        Self { loopback: true, any: false, names: Vec::new() }
    }
}

impl Hosts {
    /// Allows one more host.
    pub(crate) fn add(&mut self, host: &str) -> Result<(), String> {
        self.names.push(checked_host(host)?);
        Ok(())
    }

    /// Allows every host: a proxy in front checks them.
    pub(crate) fn add_any(&mut self) {
        self.any = true;
    }

    /// Whether this machine's own names are allowed.
    pub(crate) fn set_loopback(&mut self, allowed: bool) {
        self.loopback = allowed;
    }

    /// Whether the author has set which hosts are allowed.
    #[cfg(feature = "serve")]
    pub(crate) fn has_policy(&self) -> bool {
        self.any || !self.names.is_empty()
    }

    /// The request must name exactly one host, and an allowed one. `forwarded` is the host that a trusted proxy says the client
    /// addressed; it is then checked instead.
    pub(crate) fn check(&self, head: &Parts, host: Header<'_>, forwarded: Option<&Authority>) -> Result<(), Rejection> {
        let host = addressed(&head.uri, head.version, host)?;
        let host = forwarded.map_or(host, Authority::as_str);
        if self.any || (self.loopback && is_loopback(host)) || contains(&self.names, host) {
            return Ok(());
        }
        Err(Rejection::Host(host.to_owned()))
    }
}

/// The host that the request is addressed to.
///
/// HTTP/1 (RFC 9112 section 3.2): the authority of an absolute target is used instead of `Host`, which must still be present. From
/// HTTP/2 on (RFC 9113 section 8.3.1): `:authority`; `Host`, if present, must be the same.
fn addressed<'a>(target: &'a Uri, version: Version, host: Header<'a>) -> Result<&'a str, Rejection> {
    let none = Rejection::NoSingleHost;
    let authority = target.authority().map(Authority::as_str);
    let line = match host {
        Header::Absent => None,
        Header::One(line) => Some(std::str::from_utf8(line).map_err(|_| none(None))?),
        Header::Many => return Err(none(Some("several lines".to_owned()))),
    };
    let host = match (authority, line) {
        (Some(_), None) if version == Version::HTTP_11 => None,
        (Some(authority), Some(line)) if version >= Version::HTTP_2 && !authority.eq_ignore_ascii_case(line) => {
            return Err(none(Some(format!("{line}, {authority}"))));
        }
        (authority, line) => authority.or(line),
    };
    host.filter(|host| !host.is_empty()).ok_or(none(None))
}

fn checked_host(host: &str) -> Result<String, String> {
    if is_authority(host) {
        return Ok(host.to_owned());
    }
    let remedy = "write it as in `mcp.example.com` or `mcp.example.com:8443`, without scheme and path";
    Err(format!("public host `{host}` is no host: {remedy}"))
}

/// The allowed origins.
#[derive(Debug)]
pub(crate) struct Origins {
    /// Whether pages from this machine are allowed, with any port.
    loopback: bool,
    names: Vec<String>,
}

impl Default for Origins {
    fn default() -> Self {
        Self { loopback: true, names: Vec::new() }
    }
}

impl Origins {
    /// Allows one more origin.
    pub(crate) fn add(&mut self, origin: &str) -> Result<(), String> {
        self.names.push(checked_origin(origin)?);
        Ok(())
    }

    /// Whether pages from this machine are allowed.
    pub(crate) fn set_loopback(&mut self, allowed: bool) {
        self.loopback = allowed;
    }

    /// The request must name no origin, or exactly one and an allowed one.
    pub(crate) fn check(&self, origin: Header<'_>) -> Result<(), Rejection> {
        let origin = match origin {
            Header::Absent => return Ok(()),
            Header::One(origin) => String::from_utf8_lossy(origin),
            Header::Many => "several at once".into(),
        };
        if (self.loopback && is_loopback_origin(&origin)) || contains(&self.names, &origin) {
            return Ok(());
        }
        Err(Rejection::Origin(origin.into_owned()))
    }
}

fn is_loopback_origin(origin: &str) -> bool {
    let after = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    after.is_some_and(is_loopback)
}

fn checked_origin(origin: &str) -> Result<String, String> {
    let (scheme, authority) = origin.split_once("://").unwrap_or_default();
    let port = split(authority).and_then(|(_, port)| port);
    let problem = if !is_scheme(scheme) || !is_authority(authority) {
        "is no origin"
    } else if matches!((scheme, port), ("http", Some(80)) | ("https", Some(443))) {
        "has a port that browsers leave out"
    } else {
        return Ok(origin.to_owned());
    };
    let remedy = "write it as in `https://app.example.com`, without a path";
    Err(format!("allowed origin `{origin}` {problem}: {remedy}"))
}

fn is_scheme(scheme: &str) -> bool {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    scheme.starts_with(|first: char| first.is_ascii_alphabetic()) && scheme.bytes().all(legal)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_value_breaks_the_parser_of_hosts(value in ".{0,40}") {
            let _ = checked_host(&value);
        }

        #[test]
        fn a_configured_host_matches_and_a_longer_one_does_not(host in "[a-z][a-z0-9-]{0,9}(\\.[a-z]{2,5}){1,2}(:[1-9][0-9]{0,3})?") {
            let mut hosts = Hosts::default();
            hosts.set_loopback(false);
            prop_assert_eq!(hosts.add(&host), Ok(()));
            let check = |host: &str| {
                let (head, ()) = http::Request::new(()).into_parts();
                hosts.check(&head, Header::One(host.as_bytes()), None)
            };
            prop_assert!(check(&host.to_uppercase()).is_ok());
            for longer in [format!("x.{host}"), format!("{host}0")] {
                prop_assert!(matches!(check(&longer), Err(Rejection::Host(_))));
            }
        }
    }

    proptest! {
        #[test]
        fn no_value_breaks_the_parsers_of_origins(value in ".{0,40}") {
            let _ = (checked_origin(&value), Origins::default().check(Header::One(value.as_bytes())));
        }
    }

    #[test]
    fn pages_of_this_machine_are_allowed_until_hosts_are_named() {
        let mut origins = Origins::default();
        let check = |origins: &Origins, origin: &str| origins.check(Header::One(origin.as_bytes())).is_ok();
        assert!(check(&origins, "http://localhost:3000") && !check(&origins, "https://app.example.com"));
        assert!(origins.check(Header::Absent).is_ok() && origins.check(Header::Many).is_err());
        origins.set_loopback(false);
        assert_eq!(origins.add("https://app.example.com"), Ok(()));
        assert!(!check(&origins, "http://localhost:3000") && check(&origins, "HTTPS://app.example.com"));
    }
}
