//! Who may be addressed and who may ask: the `Host` and `Origin` checks against DNS rebinding.
//!
//! **What the author names is exact; what nobody named is this machine alone.** Neither check looks at the other's
//! header: an `Origin` that equals `Host` proves nothing, since a rebound page has both.

use std::net::{Ipv4Addr, Ipv6Addr};

use grange_core::Header;
use http::Version;
use http::request::Parts;
use http::uri::{Authority, Uri};

use crate::rejection::Refused;

/// The allowed hosts and origins.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    /// Whether the spellings of this machine itself are allowed, with any port.
    loopback: bool,
    any_host: bool,
    hosts: Vec<String>,
    origins: Vec<String>,
}

impl Default for Guard {
    fn default() -> Self {
        Self { loopback: true, any_host: false, hosts: Vec::new(), origins: Vec::new() }
    }
}

impl Guard {
    /// Allows one more host, and no longer this machine's own spellings.
    pub(crate) fn add_host(&mut self, host: &str) -> Result<(), String> {
        self.loopback = false;
        self.hosts.push(checked_host(host)?);
        Ok(())
    }

    pub(crate) fn add_origin(&mut self, origin: &str) -> Result<(), String> {
        self.origins.push(checked_origin(origin)?);
        Ok(())
    }

    /// Leaves `Host` to a proxy. `Origin` is still ours to check.
    pub(crate) fn waive_host(&mut self) {
        self.loopback = false;
        self.any_host = true;
    }

    /// Allows this machine's own spellings again: the socket is one that nobody else reaches.
    #[cfg(feature = "serve")]
    pub(crate) fn add_loopback(&mut self) {
        self.loopback = true;
    }

    /// Whether the author said who may be addressed.
    #[cfg(feature = "serve")]
    pub(crate) fn has_host_policy(&self) -> bool {
        self.any_host || !self.hosts.is_empty()
    }

    /// Exactly one host; an allowed one, unless a trusted proxy says which one was meant, and then that.
    pub(crate) fn check_host(&self, head: &Parts, host: Header<'_>, meant: Option<&Authority>) -> Result<(), Refused> {
        let host = addressed(&head.uri, head.version, host)?;
        let host = meant.map_or(host, Authority::as_str);
        if self.any_host || (self.loopback && is_loopback(host)) || contains(&self.hosts, host) {
            return Ok(());
        }
        Err(Refused::Host(host.to_owned()))
    }

    /// No origin, or exactly one and an allowed one.
    pub(crate) fn check_origin(&self, origin: Header<'_>) -> Result<(), Refused> {
        let origin = match origin {
            Header::Absent => return Ok(()),
            Header::One(origin) => String::from_utf8_lossy(origin),
            Header::Many => "several at once".into(),
        };
        if (self.loopback && is_loopback_origin(&origin)) || contains(&self.origins, &origin) {
            return Ok(());
        }
        Err(Refused::Origin(origin.into_owned()))
    }
}

/// What the request is addressed to.
///
/// HTTP/1 (RFC 9112 section 3.2): the authority of an absolute target counts, whatever `Host` says, and `Host` has to be there all
/// the same. From HTTP/2 on (RFC 9113 section 8.3.1): `:authority`, and `Host` only if it agrees.
fn addressed<'a>(target: &'a Uri, version: Version, host: Header<'a>) -> Result<&'a str, Refused> {
    let none = Refused::NoSingleHost;
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

fn contains(allowed: &[String], value: &str) -> bool {
    allowed.iter().any(|allowed| allowed.eq_ignore_ascii_case(value))
}

fn is_loopback_origin(origin: &str) -> bool {
    let after = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    after.is_some_and(is_loopback)
}

/// `localhost`, 127.0.0.0/8 or `[::1]`, with any port or none.
fn is_loopback(authority: &str) -> bool {
    let Some((host, _)) = split(authority) else { return false };
    match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(address) => address.parse().is_ok_and(|address: Ipv6Addr| address.is_loopback()),
        // The usual ones first: they are not parsed.
        None if matches!(host, "localhost" | "127.0.0.1") => true,
        None => {
            host.eq_ignore_ascii_case("localhost") || host.parse().is_ok_and(|address: Ipv4Addr| address.is_loopback())
        }
    }
}

/// Host and port. What the host is made of is not looked at.
fn split(authority: &str) -> Option<(&str, Option<u16>)> {
    let end = if authority.starts_with('[') {
        authority.find(']')? + 1
    } else {
        authority.find(':').unwrap_or(authority.len())
    };
    let (host, rest) = authority.split_at_checked(end)?;
    let port = match rest.strip_prefix(':') {
        Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => Some(digits.parse().ok()?),
        None if rest.is_empty() => None,
        Some(_) | None => return None,
    };
    Some((host, port))
}

/// A host, with a port or without, and nothing else.
fn is_authority(text: &str) -> bool {
    let Some((host, _)) = split(text) else { return false };
    let named = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
    match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(address) => address.parse::<Ipv6Addr>().is_ok(),
        None => !host.is_empty() && host.bytes().all(named),
    }
}

fn checked_host(host: &str) -> Result<String, String> {
    if is_authority(host) {
        return Ok(host.to_owned());
    }
    let remedy = "write it as in `mcp.example.com` or `mcp.example.com:8443`, without scheme and path";
    Err(format!("public host `{host}` is no host: {remedy}"))
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
        fn no_value_breaks_the_parsers(value in ".{0,40}") {
            let _ = (is_loopback(&value), is_loopback_origin(&value), checked_host(&value), checked_origin(&value));
        }

        /// Whatever stands before or behind: only the whole name is this machine.
        #[test]
        fn a_loopback_name_inside_a_longer_one_is_foreign(before in "[a-z0-9.@/-]{0,8}", after in "[a-z0-9.@/-]{0,8}") {
            for name in ["localhost", "127.0.0.1", "[::1]"] {
                let value = format!("{before}{name}{after}");
                let digits = name == "127.0.0.1" && value.parse::<Ipv4Addr>().is_ok_and(|address| address.is_loopback());
                prop_assert_eq!(is_loopback(&value), value == name || digits, "{}", value);
            }
        }

        #[test]
        fn what_is_configured_is_matched_and_a_longer_one_is_not(host in "[a-z][a-z0-9-]{0,9}(\\.[a-z]{2,5}){1,2}(:[1-9][0-9]{0,3})?") {
            let mut guard = Guard::default();
            prop_assert_eq!(guard.add_host(&host), Ok(()));
            prop_assert!(contains(&guard.hosts, &host.to_uppercase()));
            for longer in [format!("x.{host}"), format!("{host}0")] {
                prop_assert!(!contains(&guard.hosts, &longer));
            }
        }
    }
}
