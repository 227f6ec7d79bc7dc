//! The `Origin` check, against pages that reach the server through a browser: which pages may send requests.
//!
//! Requests without `Origin` come from no page and pass. `Host` is not considered here, see `host.rs`.

use grange_core::Header;

use super::authority::{contains, is_authority, is_loopback, split};
use crate::rejection::Rejection;

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
        self.names.push(checked(origin)?);
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

fn checked(origin: &str) -> Result<String, String> {
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
            let _ = (checked(&value), Origins::default().check(Header::One(value.as_bytes())));
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
