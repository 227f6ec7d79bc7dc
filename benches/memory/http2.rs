//! Fills connections of HTTP/2 with requests that wait for their bodies: one with long heads, the others with short ones.

use std::net::SocketAddr;

use bytes::Bytes;
use h2::SendStream;
use h2::client::{ResponseFuture, SendRequest};
use http::Request;
use tokio::net::TcpStream;
use tokio::task::AbortHandle;

use crate::Result;
use crate::formula::{HTTP2, KIB, STREAMS};
use crate::http1::MODERN;

/// A connection with its requests.
pub(crate) struct Waiting {
    _client: SendRequest<Bytes>,
    _sent: Vec<(ResponseFuture, SendStream<Bytes>)>,
    _driven: AbortHandle,
}

/// The connections, which hold it all until they are dropped.
pub(crate) async fn open(address: SocketAddr) -> Result<Vec<Waiting>> {
    let mut open = Vec::new();
    for place in 0..HTTP2 {
        let head = if place == 0 { 60 * KIB } else { 2 * KIB };
        open.push(connection(address, head).await?);
    }
    Ok(open)
}

async fn connection(address: SocketAddr, head: usize) -> Result<Waiting> {
    let (mut client, connection) = h2::client::handshake(TcpStream::connect(address).await?).await?;
    let driven = tokio::spawn(connection).abort_handle();
    let mut sent = Vec::new();
    for _ in 0..STREAMS {
        client = client.ready().await?;
        sent.push(client.send_request(request(head)?, false)?);
    }
    Ok(Waiting { _client: client, _sent: sent, _driven: driven })
}

fn request(head: usize) -> Result<Request<()>> {
    let request = Request::post("http://127.0.0.1/mcp")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", MODERN.name())
        .header("x-long", "x".repeat(head));
    Ok(request.body(())?)
}
