//! The bounds of a fetch, and the certificates that it trusts.

use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{RootCertStore, ServerConfig};

use super::{ANSWER_BYTES, AsyncRead, AsyncWrite, Failure, Fetcher, default_provider};
use crate::address::Address;

async fn reply(mut stream: impl AsyncRead + AsyncWrite + Unpin, answer: &[u8]) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
    // The other end may disconnect when the answer is too long.
    let _ = stream.write_all(answer).await;
    let _ = stream.shutdown().await;
}

/// What a fetch makes of one answer.
async fn fetch(answer: impl Into<Vec<u8>>) -> Result<String, Failure> {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = Address::parse(&format!("http://{}/keys", listener.local_addr().unwrap())).unwrap();
    let answer = answer.into();
    let server = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        reply(stream, &answer).await;
    });
    let fetched = Fetcher::plain().unwrap().get(&address).await;
    server.await.unwrap();
    fetched.map(|body| String::from_utf8(body.to_vec()).unwrap())
}

#[tokio::test]
async fn only_a_plain_200_is_an_answer() {
    let answered = fetch("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}").await;
    assert_eq!(answered.unwrap(), "{}");
    let redirect = "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1/\r\ncontent-length: 0\r\n\r\n";
    assert!(matches!(fetch(redirect).await, Err(Failure::Status(status)) if status == 302));
    assert!(matches!(fetch("HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n").await, Err(Failure::Status(_))));
    assert!(matches!(fetch("SSH-2.0\r\n").await, Err(Failure::Unreadable(_))));
    let cut = "HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n{}";
    assert!(matches!(fetch(cut).await, Err(Failure::Unreadable(_))));
}

#[tokio::test]
async fn an_answer_has_a_largest_size() {
    let body = "a".repeat(ANSWER_BYTES);
    let fitting = format!("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{body}");
    assert_eq!(fetch(fitting.clone()).await.unwrap().len(), ANSWER_BYTES);
    assert!(matches!(fetch(fitting + "a").await, Err(Failure::Large)));
}

#[tokio::test(start_paused = true)]
async fn an_answer_has_a_longest_time() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = Address::parse(&format!("http://{}/", listener.local_addr().unwrap())).unwrap();
    let fetched = Fetcher::plain().unwrap().get(&address).await;
    assert!(matches!(fetched, Err(Failure::Late)), "{fetched:?}");
}

/// Signed by itself and by no authority: good for `127.0.0.1` alone, from 2020 to 2120.
const CERTIFICATE: &[u8] = include_bytes!("test-certificate.der");
/// No secret: it opens nothing but this test.
const KEY: &[u8] = include_bytes!("test-key.der");

/// Fetches over TLS from this machine by one of its names.
async fn fetch_over_tls(host: &str, is_trusted: bool) -> Result<String, Failure> {
    let certificate = CertificateDer::from(CERTIFICATE);
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()));
    let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    let key = PrivateKeyDer::Pkcs8(KEY.into());
    let acceptor = TlsAcceptor::from(Arc::new(config.with_single_cert(vec![certificate.clone()], key).unwrap()));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        if let Ok(stream) = acceptor.accept(stream).await {
            reply(stream, b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}").await;
        }
    });
    let mut roots = RootCertStore::empty();
    if is_trusted {
        roots.add(certificate).unwrap();
    }
    let address = Address::parse(&format!("https://{host}:{port}/keys")).unwrap();
    let fetched = Fetcher::trusting(roots).unwrap().get(&address).await;
    server.await.unwrap();
    fetched.map(|body| String::from_utf8(body.to_vec()).unwrap())
}

#[tokio::test]
async fn tls_is_checked_against_the_authorities_and_the_name() {
    assert_eq!(fetch_over_tls("127.0.0.1", true).await.unwrap(), "{}");
    for (host, is_trusted) in [("127.0.0.1", false), ("localhost", true)] {
        let failure = fetch_over_tls(host, is_trusted).await.unwrap_err();
        assert!(failure.to_string().contains("certificate"), "{failure}");
    }
}
