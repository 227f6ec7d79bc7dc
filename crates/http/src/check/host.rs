//! The `Host` check, against DNS rebinding: which hosts clients may address.
//!
//! **Hosts that the author names must match exactly; without any, only this machine's own names are served.** `Origin` is not
//! considered here: a rebound page has an `Origin` that equals `Host`, so the one proves nothing about the other.

use grange_core::Header;
use http::Version;
use http::request::Parts;
use http::uri::{Authority, Uri};

use super::authority::{contains, is_authority, is_loopback};
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
        self.names.push(checked(host)?);
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

fn checked(host: &str) -> Result<String, String> {
    if is_authority(host) {
        return Ok(host.to_owned());
    }
    let remedy = "write it as in `mcp.example.com` or `mcp.example.com:8443`, without scheme and path";
    Err(format!("public host `{host}` is no host: {remedy}"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_value_breaks_the_parser(value in ".{0,40}") {
            let _ = checked(&value);
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
}
