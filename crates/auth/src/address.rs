//! The URLs of a configuration: of issuers, resources and keys.
//!
//! **Nothing is normalised**: an issuer and a resource are compared byte for byte, so they are kept as written. `grange-uri` checks the
//! syntax of a URL; here are only the rules that security adds.

use std::net::{Ipv4Addr, Ipv6Addr};

use http::Uri;

/// An absolute URL that may be trusted with tokens and keys: `https`, or `http` to this machine itself.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Address {
    text: String,
    uri: Uri,
}

impl Address {
    /// Reads a URL; the error is a predicate with its remedy.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        grange_uri::check_web_url(text).map_err(|error| error.to_string())?;
        if text.contains('#') {
            return Err("has a fragment: leave `#` and what follows out".to_owned());
        }
        let shape = || "is no URL with a host: write it as in `https://issuer.example.com`".to_owned();
        let uri: Uri = text.parse().map_err(|_| shape())?;
        let authority = uri.authority().ok_or_else(shape)?;
        if authority.as_str().contains('@') {
            return Err("has a user name: leave it and the `@` out".to_owned());
        }
        let address = Self { text: text.to_owned(), uri };
        match address.uri.scheme_str() {
            Some("https") => Ok(address),
            Some("http") if address.is_loopback() => Ok(address),
            _ => Err("is not `https`: tokens and keys go over TLS, except on this machine itself".to_owned()),
        }
    }

    /// Reads the URL of an issuer or a resource. It must have no query, since paths are added to it.
    pub(crate) fn parse_name(text: &str) -> Result<Self, String> {
        let address = Self::parse(text)?;
        if text.contains('?') {
            return Err("has a query: leave `?` and what follows out".to_owned());
        }
        Ok(address)
    }

    /// As written.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn is_https(&self) -> bool {
        self.uri.scheme_str() == Some("https")
    }

    pub(crate) fn is_loopback(&self) -> bool {
        let host = self.host();
        host.eq_ignore_ascii_case("localhost")
            || host.parse().is_ok_and(|address: Ipv4Addr| address.is_loopback())
            || host.parse().is_ok_and(|address: Ipv6Addr| address.is_loopback())
    }

    /// Without the brackets of an IPv6 address.
    pub(crate) fn host(&self) -> &str {
        self.uri.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']')
    }

    pub(crate) fn port(&self) -> u16 {
        self.uri.port_u16().unwrap_or(if self.is_https() { 443 } else { 80 })
    }

    /// As in a `Host` header.
    pub(crate) fn authority(&self) -> &str {
        self.uri.authority().map_or("", |authority| authority.as_str())
    }

    /// The path, empty if it is the root.
    pub(crate) fn path(&self) -> &str {
        Some(self.uri.path()).filter(|path| *path != "/").unwrap_or_default()
    }

    /// Path and query, as a request names them.
    pub(crate) fn target(&self) -> &str {
        self.uri.path_and_query().map_or("/", |target| target.as_str())
    }

    /// Another path at the same place.
    pub(crate) fn at(&self, path: &str) -> String {
        format!("{}://{}{path}", self.uri.scheme_str().unwrap_or("https"), self.authority())
    }
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[track_caller]
    fn refuses(text: &str, words: &str) {
        let error = Address::parse_name(text).expect_err(text);
        assert!(error.contains(words), "{text}: {error}");
    }

    #[test]
    fn urls_are_kept_and_taken_apart() {
        let address = Address::parse("https://Mcp.example.com:8443/a/b?c=d").unwrap();
        assert_eq!(address.as_str(), "https://Mcp.example.com:8443/a/b?c=d");
        assert_eq!((address.host(), address.port()), ("Mcp.example.com", 8443));
        assert_eq!((address.path(), address.target()), ("/a/b", "/a/b?c=d"));
        assert_eq!(address.at("/x"), "https://Mcp.example.com:8443/x");
        let bare = Address::parse("https://example.com").unwrap();
        assert_eq!((bare.path(), bare.target(), bare.port()), ("", "/", 443));
        let local = Address::parse("http://[::1]:81/").unwrap();
        assert_eq!((local.host(), local.port(), local.path()), ("::1", 81, ""));
    }

    #[test]
    fn plain_http_is_only_for_this_machine() {
        for text in ["http://localhost", "http://LOCALHOST:3000/a", "http://127.9.9.9", "http://[::1]:8080"] {
            assert!(Address::parse(text).is_ok(), "{text}");
        }
        for text in ["http://example.com", "http://localhost.example.com", "http://127.0.0.1.nip.io", "ftp://localhost"]
        {
            refuses(text, "is not `https`");
        }
    }

    #[test]
    fn urls_that_are_no_names_are_rejected() {
        refuses("https://example.com/a#b", "fragment");
        refuses("https://example.com/a?b", "query");
        refuses("https://user@example.com", "user name");
        refuses("https://localhost@example.com", "user name");
        for text in ["", "example.com", "/a", "https://", "https:///a", "mailto:a@example.com", "https://exa mple.com"]
        {
            assert!(Address::parse(text).is_err(), "{text}");
        }
        refuses("https://ex\u{e4}mple.com", "ASCII");
        // Not in the words that are for resources.
        refuses("issuer.example.com", "has no scheme: write `https://issuer.example.com`");
        refuses("issuer.example.com:8443/a", "has no scheme: write `https://issuer.example.com:8443/a`");
        refuses("https://{tenant}.example.com", "has the placeholder `{tenant}`");
    }
}
