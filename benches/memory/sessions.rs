//! Fills the sessions: as many as there may be, each with the longest declaration, and with an event that is kept for a client that
//! resumes. More are opened than there may be; the oldest are evicted.

use std::net::SocketAddr;

use grange_core::Revision;
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::Result;
use crate::formula::{DECLARED, KIB, limits};
use crate::http1::{answer, connect, post};
use crate::server::KEPT;

const LEGACY: Revision = Revision::V2025_11_25;

/// The connection that opened them.
pub(crate) async fn open(address: SocketAddr) -> Result<TcpStream> {
    let mut stream = connect(address).await?;
    let sessions = limits().sessions;
    for _ in 0..sessions + sessions / 5 {
        let id = handshake(&mut stream).await?;
        let lines = format!("Accept: text/event-stream\r\nMCP-Protocol-Version: {LEGACY}\r\nMcp-Session-Id: {id}\r\n");
        stream.write_all(&post(&lines, &grange_benches::request(LEGACY, "resources/read", Some(KEPT)))).await?;
        expect(&answer(&mut stream).await?)?;
    }
    Ok(stream)
}

/// Opens a session; returns its id.
async fn handshake(stream: &mut TcpStream) -> Result<String> {
    let client = json!({ "name": "x".repeat(DECLARED - KIB), "version": "1" });
    let params = json!({ "protocolVersion": LEGACY.name(), "capabilities": {}, "clientInfo": client });
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }).to_string();
    stream.write_all(&post("Accept: application/json, text/event-stream\r\n", &message)).await?;
    let answer = answer(stream).await?;
    expect(&answer)?;
    let id = answer.lines().find_map(|line| line.strip_prefix("mcp-session-id: "));
    Ok(id.ok_or("a handshake without a session")?.to_owned())
}

fn expect(answer: &str) -> Result<()> {
    if answer.starts_with("HTTP/1.1 200 ") { Ok(()) } else { Err(answer.chars().take(500).collect::<String>().into()) }
}
