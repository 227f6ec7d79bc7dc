//! Whose `X-Forwarded-Host` and `X-Forwarded-Proto` headers are trusted: those of the proxies that the author names by their addresses.
//!
//! **From any other sender these headers are ignored.** Each must come once and with one value: a list is what remains when a proxy
//! adds to what a client sent, and it does not show which part is true. RFC 7239 (`Forwarded`) is not read: with two headers for one
//! fact, a client could send the one that its proxy does not overwrite. Not here: which hosts are allowed (`host.rs`), and the address
//! of the client itself, which nothing here needs.

use std::net::{IpAddr, SocketAddr};

use grange_core::Header;
use http::Extensions;
use http::header::{HeaderMap, HeaderName};
use http::uri::{Authority, Scheme};
use ipnet::IpNet;

use crate::excerpt;
use crate::head::{FORWARDED_HOST, FORWARDED_PROTO, find};
use crate::rejection::Rejection;

static FORWARDED: [HeaderName; 2] = [FORWARDED_HOST, FORWARDED_PROTO];

/// The address of the sender of a request, for a service that is mounted: where
/// [`trusted_proxies`](crate::HttpConfig::trusted_proxies) are named, the application puts it into the request's extensions. The small
/// server knows it by itself.
///
/// A request without it comes from an unknown sender, whose `X-Forwarded-*` headers are ignored. So does every request on a Unix
/// socket, where the sender has no address.
///
/// ```
/// use grange_http::PeerAddr;
/// # let address: std::net::SocketAddr = "127.0.0.1:1234".parse()?;
/// # let mut request = http::Request::new(());
/// // `address` as axum's `ConnectInfo<SocketAddr>` gives it, or your listener's `accept`
/// request.extensions_mut().insert(PeerAddr(address));
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PeerAddr(pub SocketAddr);

/// The origin that a client addressed, as a trusted proxy forwarded it. It is in the extensions of the request's head:
/// `cx.peer::<http::request::Parts>()?.extensions.get::<ForwardedOrigin>()`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ForwardedOrigin {
    /// The scheme between client and proxy, `http` or `https`. `None` if the proxy does not send it.
    pub scheme: Option<Scheme>,
    /// The host, with a port where the client used one.
    pub host: Authority,
}

/// The proxies, by their networks.
#[derive(Debug, Default)]
pub(crate) struct Proxies(Vec<IpNet>);

impl Proxies {
    pub(crate) fn add(&mut self, network: &str) -> Result<(), String> {
        let one = || network.parse().map(|address: IpAddr| IpNet::from(address.to_canonical())).ok();
        let several = || network.parse().map(|network: IpNet| network.trunc()).ok();
        let remedy = "write an address as in `10.0.0.7`, or a network as in `10.0.0.0/8`";
        self.0
            .push(one().or_else(several).ok_or_else(|| format!("trusted proxy `{network}` is no address: {remedy}"))?);
        Ok(())
    }

    #[cfg(feature = "serve")]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the other end of a connection is one of them.
    pub(crate) fn trust(&self, peer: IpAddr) -> bool {
        let peer = peer.to_canonical();
        self.0.iter().any(|network| network.contains(&peer))
    }

    /// Whether a request of a mounted service comes from one of them.
    pub(crate) fn trust_sender(&self, of_request: &Extensions) -> bool {
        // Most services have none, and then nothing is looked up.
        !self.0.is_empty() && of_request.get().is_some_and(|PeerAddr(address)| self.trust(address.ip()))
    }
}

/// The host and the scheme that a trusted proxy forwards; `None` without a host.
pub(crate) fn forwarded_origin(headers: &HeaderMap) -> Result<Option<ForwardedOrigin>, Rejection> {
    let [host, scheme] = find(headers, &FORWARDED);
    let rejected = |header| Rejection::Forwarded(excerpt::copy_of(header));
    let scheme = match single(scheme).map_err(rejected)? {
        None => None,
        Some(name) if name.eq_ignore_ascii_case("https") => Some(Scheme::HTTPS),
        Some(name) if name.eq_ignore_ascii_case("http") => Some(Scheme::HTTP),
        Some(_) => return Err(rejected(scheme)),
    };
    let Some(name) = single(host).map_err(rejected)? else { return Ok(None) };
    // No user name: it is no part of a host.
    let name = Authority::try_from(name).ok().filter(|name| !name.as_str().contains('@'));
    Ok(Some(ForwardedOrigin { scheme, host: name.ok_or_else(|| rejected(host))? }))
}

/// The one value of a header, if it is there at all; the header where it has no one value.
fn single(header: Header<'_>) -> Result<Option<&str>, Header<'_>> {
    match header {
        Header::Absent => Ok(None),
        Header::One(value) => {
            let value = std::str::from_utf8(value).map_err(|_| header)?.trim_matches([' ', '\t']);
            if value.is_empty() || value.contains(',') { Err(header) } else { Ok(Some(value)) }
        }
        Header::Many => Err(header),
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use proptest::prelude::*;

    use super::*;

    fn proxies(networks: &[&str]) -> Proxies {
        let mut proxies = Proxies::default();
        for network in networks {
            proxies.add(network).expect("they are networks");
        }
        proxies
    }

    fn ip(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn an_address_matches_itself_and_a_network_every_address_in_it() {
        let trusted = proxies(&["10.1.2.3", "192.168.7.9/16", "fd00::/8", "::1", "::ffff:172.16.0.1"]);
        for inside in ["10.1.2.3", "::ffff:10.1.2.3", "192.168.255.1", "fd12::7", "::1", "172.16.0.1"] {
            assert!(trusted.trust(ip(inside)), "{inside}");
        }
        for outside in ["10.1.2.4", "192.169.0.1", "fe80::1", "::2", "127.0.0.1", "172.16.0.2"] {
            assert!(!trusted.trust(ip(outside)), "{outside}");
        }
    }

    #[test]
    fn what_is_no_address_is_a_mistake() {
        for wrong in ["", "*", "localhost", "10.0.0.0/33", "10.0.0", "10.0.0.1:80", "http://10.0.0.1", "fd00::/129"] {
            let problem = Proxies::default().add(wrong).expect_err(wrong);
            assert!(problem.contains(&format!("`{wrong}`")) && problem.contains("10.0.0.0/8"), "{problem}");
        }
    }

    fn read(lines: &[(&'static str, &'static str)]) -> Result<Option<ForwardedOrigin>, Rejection> {
        let lines = lines.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        forwarded_origin(&lines.collect::<HeaderMap>())
    }

    #[test]
    fn only_one_value_is_accepted() {
        const HOST: &str = "x-forwarded-host";
        const PROTO: &str = "x-forwarded-proto";
        let known =
            read(&[(HOST, " mcp.example.com:8443 "), (PROTO, "HTTPS")]).expect("one value each").expect("a host");
        assert_eq!((known.host.as_str(), known.scheme), ("mcp.example.com:8443", Some(Scheme::HTTPS)));
        assert_eq!(read(&[("forwarded", "host=a.example")]).expect("not read"), None);
        assert_eq!(read(&[(PROTO, "http")]).expect("one value each"), None);
        for wrong in [
            &[(HOST, "a.example, b.example")][..],
            &[(HOST, "a.example"), (HOST, "a.example")],
            &[(HOST, "")],
            &[(HOST, "a.example/path")],
            &[(HOST, "user@a.example")],
            &[(HOST, "a.example"), (PROTO, "ftp")],
            &[(HOST, "a.example"), (PROTO, "https,http")],
            &[(PROTO, "gopher")],
        ] {
            assert!(matches!(read(wrong), Err(Rejection::Forwarded(_))), "{wrong:?}");
        }
    }

    proptest! {
        #[test]
        fn no_value_breaks_the_parser_and_what_it_accepts_is_one_host(value in "[ -~]{0,40}") {
            let Ok(line) = HeaderValue::from_str(&value) else { return Ok(()) };
            let headers: HeaderMap = [(HeaderName::from_static("x-forwarded-host"), line)].into_iter().collect();
            if let Ok(Some(origin)) = forwarded_origin(&headers) {
                prop_assert_eq!(origin.host.as_str(), value.trim());
                prop_assert!(!value.contains([',', '@', '/', ' ']) || value.trim() != value);
            }
        }
    }
}
