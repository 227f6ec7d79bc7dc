//! One GET: small, bounded, without redirects, over TLS wherever it leaves this machine.
//!
//! Keys are fetched once in many minutes, so connections are not pooled: each fetch opens one and closes it. **The answer is not
//! trusted**: its size and its time are bounded.

use std::fmt;
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::header::{ACCEPT, HOST, USER_AGENT};
use http::{Request, StatusCode};
use http_body::Body;
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::address::Address;

const TIME: Duration = Duration::from_secs(5);
const ANSWER_BYTES: usize = 512 * 1024;

/// Why a fetch failed. Each text is a predicate, to be written after the address.
#[derive(Debug)]
pub(crate) enum Failure {
    Large,
    Late,
    Status(StatusCode),
    Unreadable(io::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Large => write!(f, "gives more than {} KiB", ANSWER_BYTES / 1024),
            Self::Late => write!(f, "took longer than {} s", TIME.as_secs()),
            Self::Status(status) => write!(f, "answered {status}: expected 200; redirects are not followed"),
            Self::Unreadable(error) => write!(f, "cannot be read: {error}"),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

impl From<hyper::Error> for Failure {
    fn from(error: hyper::Error) -> Self {
        Self::Unreadable(io::Error::other(error))
    }
}

/// Fetches documents. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Fetcher {
    tls: TlsConnector,
}

impl Fetcher {
    /// Trusts the certificate authorities of the system.
    pub(crate) fn new() -> Result<Self, String> {
        let mut roots = RootCertStore::empty();
        let (added, _) = roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        if added == 0 {
            return Err("the system has no certificate authorities, so that no issuer could be reached: install \
                `ca-certificates`, or name a file of them in `SSL_CERT_FILE`"
                .to_owned());
        }
        Self::trusting(roots).map_err(|error| format!("TLS cannot be set up: {error}"))
    }

    /// For addresses without TLS: trusts no certificate authority.
    pub(crate) fn plain() -> Result<Self, String> {
        Self::trusting(RootCertStore::empty()).map_err(|error| format!("TLS cannot be set up: {error}"))
    }

    fn trusting(roots: RootCertStore) -> Result<Self, tokio_rustls::rustls::Error> {
        // Named, so that it does not depend on the default of the process.
        let config = ClientConfig::builder_with_provider(Arc::new(default_provider()));
        let config = config.with_safe_default_protocol_versions()?.with_root_certificates(roots).with_no_client_auth();
        Ok(Self { tls: TlsConnector::from(Arc::new(config)) })
    }

    /// The body of a 200.
    pub(crate) async fn get(&self, address: &Address) -> Result<Bytes, Failure> {
        timeout(TIME, self.exchange(address)).await.unwrap_or(Err(Failure::Late))
    }

    async fn exchange(&self, address: &Address) -> Result<Bytes, Failure> {
        let stream = TcpStream::connect((address.host(), address.port())).await?;
        if !address.is_https() {
            return ask(stream, address).await;
        }
        let name = ServerName::try_from(address.host().to_owned()).map_err(io::Error::other)?;
        ask(self.tls.connect(name, stream).await?, address).await
    }
}

async fn ask<S>(stream: S, address: &Address) -> Result<Bytes, Failure>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    // Ends with this function, however the exchange ends.
    let mut driver = JoinSet::new();
    driver.spawn(connection);
    let request = Request::get(address.target())
        .header(HOST, address.authority())
        .header(ACCEPT, "application/json")
        .header(USER_AGENT, concat!("grange-auth/", env!("CARGO_PKG_VERSION")))
        .body(String::new())
        .map_err(io::Error::other)?;
    let response = sender.send_request(request).await?;
    if response.status() != StatusCode::OK {
        return Err(Failure::Status(response.status()));
    }
    collect(response.into_body()).await
}

async fn collect(mut body: Incoming) -> Result<Bytes, Failure> {
    let mut collected = BytesMut::new();
    while let Some(frame) = poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
        let Ok(data) = frame?.into_data() else { continue };
        if collected.len() + data.len() > ANSWER_BYTES {
            return Err(Failure::Large);
        }
        collected.extend_from_slice(&data);
    }
    Ok(collected.freeze())
}

#[cfg(test)]
mod tests;
