//! The checks of a service behind a trusted proxy: they accept the same requests as a second implementation of the
//! rules.

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::pin::pin;
use std::sync::OnceLock;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use grange_http::{HttpService, PeerAddr};
use http::header::HeaderValue;
use http::{Method, Request};
use http_body_util::Full;
use serde_json::json;
use tower_service::Service;

use crate::fixture::{FIXED, server};

const PUBLIC: &str = "mcp.example.com:8443";
const PROXY: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::new(10, 1, 2, 3)), 4567);
const NAMES: [(u8, &str); 4] =
    [(b'h', "host"), (b'f', "x-forwarded-host"), (b'p', "x-forwarded-proto"), (b'o', "origin")];

/// Reads the data as header lines, `h…`, `f…`, `p…` and `o…` for `Host`, `X-Forwarded-Host`, `X-Forwarded-Proto` and
/// `Origin`. The request is sent by the proxy, and by another peer.
pub fn proxy(data: &[u8]) {
    for (trusted, peer) in [(true, PROXY), (false, SocketAddr::new(Ipv4Addr::LOCALHOST.into(), 4567))] {
        let mut lines: [Vec<Vec<u8>>; 4] = Default::default();
        let mut request = read();
        request.extensions_mut().insert(PeerAddr(peer));
        for line in data.split(|byte| *byte == b'\n') {
            let Some((letter, value)) = line.split_first() else { continue };
            let named = NAMES.iter().zip(&mut lines).find(|((known, _), _)| known == letter);
            // Invalid header values are rejected earlier.
            let (Some(((_, name), kept)), Ok(sent)) = (named, HeaderValue::from_bytes(value)) else { continue };
            request.headers_mut().append(*name, sent);
            kept.push(value.to_vec());
        }
        let status = status(request);
        assert_eq!(status == 200, accepts(&lines, trusted), "trusted: {trusted}, status {status}");
        assert!(matches!(status, 200 | 400 | 403), "status {status}");
    }
}

/// A second implementation: one host, the right one, and no page of a foreign origin.
fn accepts([host, forwarded, scheme, origin]: &[Vec<Vec<u8>>; 4], trusted: bool) -> bool {
    let is_public = |value: &[u8]| value.eq_ignore_ascii_case(PUBLIC.as_bytes());
    let trimmed = |value: &[u8]| -> Vec<u8> {
        let text: String = value.iter().map(|byte| char::from(*byte)).collect();
        text.trim_matches([' ', '\t']).bytes().collect()
    };
    let is_scheme = |value: &Vec<u8>| {
        let value = trimmed(value);
        value.eq_ignore_ascii_case(b"http") || value.eq_ignore_ascii_case(b"https")
    };
    let has_right_host = matches!(&host[..], [host] if is_public(host));
    let has_one_host = matches!(&host[..], [host] if !host.is_empty() && std::str::from_utf8(host).is_ok());
    let is_addressed = match (trusted, &forwarded[..]) {
        (true, [forwarded]) => has_one_host && is_public(&trimmed(forwarded)),
        (true, [_, _, ..]) => false,
        (true, []) | (false, _) => has_right_host,
    };
    let is_one_scheme = !trusted || (scheme.len() < 2 && scheme.iter().all(is_scheme));
    is_addressed && is_one_scheme && origin.is_empty()
}

fn service() -> HttpService {
    static SERVICE: OnceLock<HttpService> = OnceLock::new();
    let settings = || HttpService::builder(server()).public_hosts([PUBLIC]).trusted_proxies(["10.1.2.0/24"]);
    SERVICE.get_or_init(|| settings().build().expect("right settings")).clone()
}

/// A correct read, without these headers.
fn read() -> Request<Full<Bytes>> {
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": { "uri": FIXED } });
    let mut request = Request::new(Full::new(Bytes::from(message.to_string())));
    *request.method_mut() = Method::POST;
    request.headers_mut().insert("content-type", HeaderValue::from_static("application/json"));
    request
}

fn status(request: Request<Full<Bytes>>) -> u16 {
    let answering = pin!(service().call(request));
    let Poll::Ready(answer) = answering.poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("a fixed resource is answered at once");
    };
    let Ok(answer): Result<_, Infallible> = answer;
    answer.status().as_u16()
}
