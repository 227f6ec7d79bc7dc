//! A closed-loop HTTP client: sends one request on each of several connections, then reads all answers. It uses no
//! threads and no runtime, so its own cost is small and constant.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use crate::Result;

/// Connections to one server.
pub(crate) struct Client {
    connections: Vec<TcpStream>,
    buffer: Vec<u8>,
}

impl Client {
    pub(crate) fn connect(address: SocketAddr, connections: usize) -> Result<Self> {
        let connect = |_| -> Result<TcpStream> {
            let stream = TcpStream::connect(address)?;
            stream.set_nodelay(true)?;
            stream.set_read_timeout(Some(Duration::from_secs(60)))?;
            Ok(stream)
        };
        Ok(Self { connections: (0..connections).map(connect).collect::<Result<_>>()?, buffer: vec![0; 256 * 1024] })
    }

    /// Sends on every connection, then reads every answer. Returns the length of one answer in bytes.
    pub(crate) fn round(&mut self, request: &[u8]) -> Result<usize> {
        self.send(request)?;
        let mut length = 0;
        for stream in &mut self.connections {
            length = answer(stream, &mut self.buffer)?;
        }
        Ok(length)
    }

    /// Sends on every connection and waits until the first bytes of each answer have arrived.
    pub(crate) fn open(&mut self, request: &[u8]) -> Result<()> {
        self.send(request)?;
        for stream in &mut self.connections {
            let read = stream.read(&mut self.buffer)?;
            check(self.buffer.get(..read).unwrap_or_default())?;
        }
        Ok(())
    }

    fn send(&mut self, request: &[u8]) -> Result<()> {
        self.connections.iter_mut().try_for_each(|stream| Ok(stream.write_all(request)?))
    }
}

/// Reads one response to its end and discards it; returns the length of its body.
fn answer(stream: &mut TcpStream, buffer: &mut [u8]) -> Result<usize> {
    let mut filled = 0;
    let (head, length) = loop {
        let read = stream.read(buffer.get_mut(filled..).unwrap_or_default())?;
        if read == 0 {
            return Err("the server closed the connection".into());
        }
        filled += read;
        let begun = buffer.get(..filled).unwrap_or_default();
        if let Some(head) = begun.windows(4).position(|window| window == b"\r\n\r\n") {
            check(begun)?;
            break (head + 4, content_length(begun.get(..head).unwrap_or_default())?);
        }
    };
    let mut left = (head + length).saturating_sub(filled);
    while left > 0 {
        let room = left.min(buffer.len());
        let read = stream.read(buffer.get_mut(..room).unwrap_or_default())?;
        if read == 0 {
            return Err("the server closed the connection within an answer".into());
        }
        left -= read;
    }
    Ok(length)
}

/// Checks the start of a response, because an error would be cheaper.
fn check(begun: &[u8]) -> Result<()> {
    let text = String::from_utf8_lossy(begun.get(..begun.len().min(1000)).unwrap_or_default());
    if text.starts_with("HTTP/1.1 200") && !text.contains("\"error\"") {
        return Ok(());
    }
    Err(format!("not the answer that was asked for: {text}").into())
}

fn content_length(head: &[u8]) -> Result<usize> {
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:"));
    Ok(length.ok_or("an answer without a length")?.trim().parse()?)
}
