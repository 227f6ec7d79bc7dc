//! Requests over HTTP/1.1 as bytes, and connections whose answers are read or not.

use std::net::SocketAddr;
use std::time::Duration;

use grange_core::Revision;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use crate::Result;
use crate::server::KEPT;

pub(crate) const MODERN: Revision = Revision::V2026_07_28;
/// Longer than any step on a busy machine.
const HANG: Duration = Duration::from_secs(60);

/// A connection with a small receive window, so that little of an answer leaves the server.
pub(crate) async fn connect(address: SocketAddr) -> Result<TcpStream> {
    const WINDOW: u32 = 4 * 1024;
    let socket = TcpSocket::new_v4()?;
    socket.set_recv_buffer_size(WINDOW)?;
    Ok(timeout(HANG, socket.connect(address)).await??)
}

/// A request with these header lines beside the usual ones.
pub(crate) fn post(lines: &str, message: &str) -> Vec<u8> {
    let mut request = head(lines, message.len()).into_bytes();
    request.extend_from_slice(message.as_bytes());
    request
}

pub(crate) fn head(lines: &str, length: usize) -> String {
    format!("{}{lines}Content-Length: {length}\r\n\r\n", start())
}

/// The start of a head.
pub(crate) fn start() -> String {
    "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n".to_owned()
}

/// The header lines of a modern read.
pub(crate) fn modern(uri: &str) -> String {
    format!(
        "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: {MODERN}\r\nMcp-Method: resources/read\r\nMcp-Name: {uri}\r\n"
    )
}

/// A modern read.
pub(crate) fn read(uri: &str) -> Vec<u8> {
    post(&modern(uri), &grange_benches::request(MODERN, "resources/read", Some(uri)))
}

/// The first answer of a server, after which it has all that it needs in any case.
pub(crate) async fn read_once(address: SocketAddr) -> Result<()> {
    let mut stream = connect(address).await?;
    stream.write_all(&read(KEPT)).await?;
    let answer = answer(&mut stream).await?;
    if answer.starts_with("HTTP/1.1 200 ") { Ok(()) } else { Err(answer.into()) }
}

/// Reads an answer to its end.
pub(crate) async fn answer(stream: &mut TcpStream) -> Result<String> {
    let mut received = Vec::with_capacity(64 * 1024);
    while !is_whole(&received) {
        if timeout(HANG, stream.read_buf(&mut received)).await?? == 0 {
            return Err(format!("the connection ended after {}", String::from_utf8_lossy(&received)).into());
        }
    }
    Ok(String::from_utf8(received)?)
}

/// The status of an answer, of which only the start is read.
pub(crate) async fn status(stream: &mut TcpStream) -> Result<u16> {
    let mut start = [0; 12];
    timeout(HANG, stream.read_exact(&mut start)).await??;
    Ok(std::str::from_utf8(&start)?.trim_start_matches("HTTP/1.1 ").parse()?)
}

fn is_whole(received: &[u8]) -> bool {
    let Some(end) = received.windows(4).position(|window| window == b"\r\n\r\n") else { return false };
    let head = String::from_utf8_lossy(received.get(..end).unwrap_or_default()).to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
    length.map_or_else(|| received.ends_with(b"0\r\n\r\n"), |length| received.len() >= end + 4 + length)
}
