//! Behind proxies: whose `X-Forwarded-*` headers are used.

use std::net::SocketAddr;

use grange_core::{Limits, Resource, Server};
use grange_http::{ForwardedOrigin, HttpService, HttpServiceBuilder, PeerAddr, http};
use http::request::Parts;

use super::drive::{Post, server};
use super::sockets::Serving;

const HOST: &str = "x-forwarded-host";
const PROTO: &str = "x-forwarded-proto";
const PUBLIC: &str = "mcp.example.com";
const PROXY: &str = "10.1.2.3:4567";
const STRANGER: &str = "10.9.9.9:4567";

/// A server whose reader returns the address that the client used.
fn telling() -> Server {
    let told = Resource::builder().uri("docs://told").name("told").read(|cx| async move {
        let head = cx.peer::<Parts>().ok_or("over HTTP there is a head")?;
        Ok(match head.extensions.get::<ForwardedOrigin>() {
            Some(ForwardedOrigin { scheme, host }) => {
                format!("{} {host}", scheme.as_ref().map_or("-", |scheme| scheme.as_str()))
            }
            None => "nothing".to_owned(),
        })
    });
    server([told.build()], Limits::default())
}

fn service() -> HttpService {
    settings().build().unwrap()
}

fn settings() -> HttpServiceBuilder {
    HttpService::builder(telling()).public_hosts([PUBLIC]).trusted_proxies(["10.1.2.0/24"])
}

fn read() -> Post {
    Post::read_of("docs://told").header("host", "upstream:8787")
}

fn by(post: Post, peer: &str) -> Post {
    let mut post = post;
    post.extensions.insert(PeerAddr(peer.parse::<SocketAddr>().unwrap()));
    post
}

#[tokio::test]
async fn w5_11_the_headers_of_a_trusted_proxy_give_the_clients_address() {
    let request = by(read().header(HOST, PUBLIC).header(PROTO, "https"), PROXY);
    assert_eq!(request.send(&service()).await.text(), format!("https {PUBLIC}"));
    let without_scheme = by(read().header(HOST, "MCP.example.com"), PROXY);
    assert_eq!(without_scheme.send(&service()).await.text(), "- MCP.example.com");
    // If the proxy sends no header, `Host` is used.
    let silent = by(read().header("host", PUBLIC), PROXY);
    assert_eq!(silent.send(&service()).await.text(), "nothing");
}

#[tokio::test]
async fn w5_11_a_forwarded_host_is_checked_as_the_host() {
    for foreign in ["evil.example", "mcp.example.com.evil.example", "mcp.example.com:8443", "localhost", "127.0.0.1"] {
        let answer = by(read().header("host", PUBLIC).header(HOST, foreign), PROXY).send(&service()).await;
        assert_eq!((answer.status, answer.code()), (403, -32600), "{foreign}");
        assert!(answer.message().contains(foreign), "{}", answer.message());
    }
}

#[tokio::test]
async fn w5_11_forwarded_headers_of_other_peers_are_ignored() {
    let spoofed = || read().header(HOST, PUBLIC).header(PROTO, "https");
    for post in [spoofed(), by(spoofed(), STRANGER), spoofed().header("forwarded", format!("host={PUBLIC}"))] {
        assert_eq!(post.send(&service()).await.status, 403);
    }
    // With the right `Host`, forwarded headers of an untrusted peer are ignored.
    let odd = by(read().header("host", PUBLIC).header(HOST, "a, b").header(PROTO, "gopher"), STRANGER);
    assert_eq!(odd.send(&service()).await.text(), "nothing");
    let unnamed = HttpService::builder(telling()).public_hosts([PUBLIC]).build().unwrap();
    assert_eq!(by(spoofed(), PROXY).send(&unnamed).await.status, 403);
}

#[tokio::test]
async fn w5_11_forwarded_headers_with_several_values_are_rejected() {
    for (post, what) in [
        (read().header(HOST, format!("evil.example, {PUBLIC}")), "a list"),
        (read().header(HOST, PUBLIC).line(HOST, PUBLIC), "two lines"),
        (read().header(HOST, ""), "nothing"),
        (read().header(HOST, PUBLIC).header(PROTO, "https, http"), "two schemes"),
        (read().header(HOST, PUBLIC).header(PROTO, "ws"), "another scheme"),
        (read().header(HOST, PUBLIC).line("host", "other"), "two hosts of its own"),
        (read().header(HOST, PUBLIC).without("host"), "no host of its own"),
    ] {
        let answer = by(post, PROXY).send(&service()).await;
        assert_eq!((answer.status, answer.code()), (400, -32600), "{what}");
        assert!(answer.message().contains("ost"), "{}", answer.message());
    }
}

#[tokio::test]
async fn w5_11_a_proxy_does_not_disable_the_origin_check() {
    let from_page = by(read().header(HOST, PUBLIC).header("origin", format!("https://{PUBLIC}")), PROXY);
    assert_eq!(from_page.clone().send(&service()).await.status, 403);
    let named = settings().allow_origins([format!("https://{PUBLIC}")]).build().unwrap();
    assert_eq!(from_page.send(&named).await.status, 200);
}

#[tokio::test]
async fn the_small_server_knows_the_peers_address() {
    for (proxies, expected) in [(["127.0.0.0/8"], Some("https mcp.example.com")), (["10.0.0.1"], None)] {
        let serving = Serving::new(telling(), |http| http.public_hosts([PUBLIC]).trusted_proxies(proxies)).await;
        let post = Post::read_of("docs://told").header(HOST, PUBLIC).header(PROTO, "https");
        let answer = serving.send(post, "/mcp").await;
        // The socket is on loopback, so `Host` itself is right.
        assert_eq!(answer.text(), expected.unwrap_or("nothing"));
        let foreign = Post::read_of("docs://told").header(HOST, "evil.example");
        assert_eq!(serving.send(foreign, "/mcp").await.status, if expected.is_some() { 403 } else { 200 });
        serving.stopped().await;
    }
}

#[tokio::test]
async fn an_invalid_proxy_address_is_an_error_before_binding() {
    let errors = http("127.0.0.1:0").trusted_proxies(["nginx", "10.0.0.0/40"]).bind().await.unwrap_err().to_string();
    assert!(errors.contains("`nginx`") && errors.contains("`10.0.0.0/40`"), "{errors}");
    // A trusted proxy is not a host policy.
    let open = http("0.0.0.0:0").trusted_proxies(["10.0.0.1"]).bind().await.unwrap_err().to_string();
    assert!(open.contains("public_hosts"), "{open}");
}
