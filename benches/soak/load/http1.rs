//! An HTTP/1.1 connection of a strict client: it checks every byte of a response, and **unexpected bytes are an
//! error**.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use bytes::BufMut;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use crate::failure::{Failure, Flow, shown, wrong};

/// Longer than any step on a busy machine: no data for this time is a hang.
pub(crate) const HANG: Duration = Duration::from_secs(60);

/// The connection.
pub(crate) struct Connection {
    stream: TcpStream,
    /// The bytes that were read and not consumed.
    buffer: Vec<u8>,
    /// The start of the newest request. The server's timer for it cannot have started earlier.
    began: Instant,
    /// The start of the request before it. The server's timer for the pause between the two cannot have started
    /// earlier.
    before: Instant,
    is_closed: bool,
}

/// The head of a response.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
}

/// A response with its whole body.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) head: Head,
    pub(crate) body: Vec<u8>,
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> Flow<Self> {
        Self::with_window(address, None).await
    }

    /// Opens a connection with a receive window of this size.
    pub(crate) async fn with_window(address: SocketAddr, window: Option<u32>) -> Flow<Self> {
        let began = Instant::now();
        let rejected = |error: std::io::Error| Failure::wrong(format!("no connection: {error}"));
        let socket = TcpSocket::new_v4().map_err(rejected)?;
        if let Some(window) = window {
            socket.set_recv_buffer_size(window).map_err(rejected)?;
        }
        let connected = timeout(HANG, socket.connect(address)).await;
        let stream = connected.map_err(|_| Failure::wrong("no connection within the limit"))?.map_err(rejected)?;
        stream.set_nodelay(true).map_err(rejected)?;
        Ok(Self { stream, buffer: Vec::new(), began, before: began, is_closed: false })
    }

    /// Whether another request can be sent: the server has not closed the connection and will not do so soon.
    pub(crate) fn is_fresh(&self) -> bool {
        /// Much shorter than the server's time limit for idle connections.
        const FRESH: Duration = Duration::from_secs(1);
        !self.is_closed && self.began.elapsed() < FRESH
    }

    pub(crate) fn began(&self) -> Instant {
        self.began
    }

    /// Sends one or more requests.
    pub(crate) async fn send(&mut self, bytes: &[u8]) -> Flow {
        if !self.buffer.is_empty() {
            return wrong(format!("unexpected bytes before a request: {}", shown(&self.buffer)));
        }
        self.before = std::mem::replace(&mut self.began, Instant::now());
        self.send_more(bytes).await
    }

    /// Sends more bytes of a request.
    pub(crate) async fn send_more(&mut self, bytes: &[u8]) -> Flow {
        match timeout(HANG, self.stream.write_all(bytes)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(Failure::lost(format!("a request could not be sent: {error}"), self.before)),
            Err(_) => wrong("a request could not be sent within the limit"),
        }
    }

    /// Closes the sending direction.
    pub(crate) async fn finish(&mut self) {
        // The other side may have closed it already.
        let _ = self.stream.shutdown().await;
    }

    /// Closes the connection at once, so that the other side gets a reset.
    pub(crate) fn reset(self) {
        // If that is not supported, the connection is closed normally.
        let _ = self.stream.set_zero_linger();
    }

    /// Reads a whole response, which no further bytes may follow.
    pub(crate) async fn answer(&mut self) -> Flow<Answer> {
        let answer = self.next_answer().await?;
        if !self.buffer.is_empty() {
            return wrong(format!("unexpected bytes after an answer: {}", shown(&self.buffer)));
        }
        Ok(answer)
    }

    /// Reads a whole response. The next one may already have arrived.
    pub(crate) async fn next_answer(&mut self) -> Flow<Answer> {
        let head = self.head().await?;
        let body = self.body(&head).await?;
        Ok(Answer { head, body })
    }

    /// Reads the head of a response.
    pub(crate) async fn head(&mut self) -> Flow<Head> {
        let end = loop {
            if let Some(end) = find(&self.buffer, b"\r\n\r\n") {
                break end;
            }
            if self.more().await? == 0 {
                let since = if self.buffer.is_empty() { self.before } else { self.began };
                let so_far = shown(&self.buffer);
                return Err(Failure::lost(format!("the connection ended before an answer: {so_far}"), since));
            }
        };
        let bytes: Vec<u8> = self.buffer.drain(..end + 4).collect();
        let head = Head::parse(&bytes).ok_or_else(|| Failure::wrong(format!("no head: {}", shown(&bytes))))?;
        self.is_closed = head.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"));
        Ok(head)
    }

    /// Reads the body for a head.
    pub(crate) async fn body(&mut self, head: &Head) -> Flow<Vec<u8>> {
        if head.status == 204 {
            return Ok(Vec::new());
        }
        if head.is_chunked() {
            let mut body = Vec::new();
            while let Some(chunk) = self.chunk().await? {
                body.extend_from_slice(&chunk);
            }
            return Ok(body);
        }
        let Some(length) = head.length() else { return wrong(format!("an answer of no length: {head:?}")) };
        while self.buffer.len() < length {
            if self.more().await? == 0 {
                let got = self.buffer.len();
                return Err(Failure::lost(format!("an answer ended after {got} of {length} bytes"), self.began));
            }
        }
        Ok(self.buffer.drain(..length).collect())
    }

    /// The next chunk of a chunked body; `None` at its end.
    pub(crate) async fn chunk(&mut self) -> Flow<Option<Vec<u8>>> {
        let line = loop {
            if let Some(end) = find(&self.buffer, b"\r\n") {
                break self.buffer.drain(..end + 2).collect::<Vec<u8>>();
            }
            self.more_of_chunk().await?;
        };
        let digits = std::str::from_utf8(&line).unwrap_or_default().trim_end();
        let Ok(length) = usize::from_str_radix(digits, 16) else { return wrong(format!("no chunk: {}", shown(&line))) };
        while self.buffer.len() < length + 2 {
            self.more_of_chunk().await?;
        }
        let mut chunk: Vec<u8> = self.buffer.drain(..length + 2).collect();
        if !chunk.ends_with(b"\r\n") {
            return wrong(format!("a chunk without an end: {}", shown(&chunk)));
        }
        chunk.truncate(length);
        Ok((length > 0).then_some(chunk))
    }

    async fn more_of_chunk(&mut self) -> Flow {
        match self.more().await? {
            0 => Err(Failure::lost("a stream ended without its last chunk", self.began)),
            _ => Ok(()),
        }
    }

    /// Waits for the end of the connection; returns all bytes before it.
    pub(crate) async fn rest(&mut self) -> Flow<Vec<u8>> {
        while self.more().await? > 0 {}
        Ok(std::mem::take(&mut self.buffer))
    }

    /// Reads at most `most` bytes; returns how many arrived, 0 at the end. **A reset counts as an end.**
    pub(crate) async fn sip(&mut self, most: usize) -> Flow<usize> {
        let mut room = (&mut self.buffer).limit(most);
        let Ok(read) = timeout(HANG, self.stream.read_buf(&mut room)).await else {
            return wrong(format!("no data within the limit, after {}", shown(&self.buffer)));
        };
        let read = read.unwrap_or_default();
        self.is_closed |= read == 0;
        Ok(read)
    }

    /// Waits for data; true if the connection ends in place of it.
    pub(crate) async fn is_at_end(&mut self) -> Flow<bool> {
        Ok(self.buffer.is_empty() && self.more().await? == 0)
    }

    async fn more(&mut self) -> Flow<usize> {
        self.sip(64 * 1024).await
    }
}

impl Head {
    /// Parses the status line and the headers by RFC 9112.
    fn parse(bytes: &[u8]) -> Option<Self> {
        let mut lines = std::str::from_utf8(bytes).ok()?.strip_suffix("\r\n\r\n")?.split("\r\n");
        let status = lines.next()?.strip_prefix("HTTP/1.1 ")?.split(' ').next()?;
        let status = status.parse().ok().filter(|_| status.len() == 3)?;
        let header = |line: &str| {
            let (name, value) = line.split_once(':')?;
            Some((name.to_ascii_lowercase(), value.trim().to_owned()))
        };
        Some(Self { status, headers: lines.map(header).collect::<Option<_>>()? })
    }

    /// A head from another protocol.
    pub(crate) fn new(status: u16, headers: Vec<(String, String)>) -> Self {
        Self { status, headers }
    }

    /// A header that is present exactly once.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|header| header.0 == name);
        found.next().filter(|_| found.next().is_none()).map(|header| header.1.as_str())
    }

    pub(crate) fn is_stream(&self) -> bool {
        self.header("content-type") == Some("text/event-stream")
    }

    pub(crate) fn is_chunked(&self) -> bool {
        self.header("transfer-encoding") == Some("chunked")
    }

    pub(crate) fn length(&self) -> Option<usize> {
        self.header("content-length")?.parse().ok()
    }
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::Head;

    #[test]
    fn a_head_is_read_strictly() {
        let head = Head::parse(b"HTTP/1.1 200 OK\r\nContent-Length: 12\r\nA: 1\r\nA: 2\r\n\r\n").expect("a head");
        assert_eq!((head.status, head.length(), head.header("a")), (200, Some(12), None));
        for wrong in
            ["HTTP/1.0 200 OK\r\n\r\n", "HTTP/1.1 2 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nno header\r\n\r\n", "\r\n\r\n"]
        {
            assert!(Head::parse(wrong.as_bytes()).is_none(), "{wrong:?}");
        }
    }
}
