//! A client that writes the frames of HTTP/2 itself, so that it can do what a proper client does not.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::drive::Post;
use super::sockets::{Serving, soon};

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
pub(super) const HEADERS: u8 = 1;
pub(super) const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
pub(super) const PING: u8 = 6;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;

/// One frame. The payload may have any content.
pub(super) fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// A string or its length, without Huffman coding.
fn string(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    match text.len() {
        short @ ..127 => out.push(u8::try_from(short).unwrap()),
        long => {
            let mut rest = long - 127;
            out.push(127);
            while rest >= 128 {
                out.push(u8::try_from(rest % 128).unwrap() | 128);
                rest /= 128;
            }
            out.push(u8::try_from(rest).unwrap());
        }
    }
    [&out[..], text].concat()
}

/// The frames of a request.
pub(super) fn request(stream: u32, post: &Post) -> Vec<u8> {
    let pseudo = [(":method", "POST"), (":scheme", "http"), (":path", "/mcp"), (":authority", "localhost")];
    let pseudo = pseudo.map(|(name, value)| (name.as_bytes(), value.as_bytes()));
    let others = post.headers.iter().filter(|(name, _)| *name != "host");
    let others = others.map(|(name, value)| (name.as_str().as_bytes(), value.as_bytes()));
    let fields = pseudo.into_iter().chain(others);
    let block: Vec<u8> = fields.flat_map(|(name, value)| [vec![0], string(name), string(value)].concat()).collect();
    [frame(HEADERS, END_HEADERS, stream, &block), frame(0, END_STREAM, stream, &post.body)].concat()
}

/// A connection.
pub(super) struct Frames(pub(super) TcpStream);

impl Frames {
    /// Opens a connection whose streams begin with this window.
    pub(super) async fn open(serving: &Serving, window: u32) -> Self {
        let setting = [&[0, 4][..], &window.to_be_bytes()].concat();
        let mut opened = Self(serving.connect().await);
        opened.send(&[PREFACE, &frame(SETTINGS, 0, 0, &setting)].concat()).await;
        opened
    }

    pub(super) async fn send(&mut self, bytes: &[u8]) {
        soon(self.0.write_all(bytes)).await.unwrap();
    }

    /// The kind and the stream of the next frame; `None` at the end. Settings and pings are confirmed.
    pub(super) async fn next(&mut self) -> Option<(u8, u32)> {
        let mut head = [0; 9];
        soon(self.0.read_exact(&mut head)).await.ok()?;
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        let stream = u32::from_be_bytes([head[5], head[6], head[7], head[8]]);
        let mut payload = vec![0; length as usize];
        soon(self.0.read_exact(&mut payload)).await.ok()?;
        let answer = if head[3] == PING { payload } else { Vec::new() };
        if [SETTINGS, PING].contains(&head[3]) && head[4] == 0 {
            // The server may have closed its end meanwhile.
            let _ = self.0.write_all(&frame(head[3], 1, 0, &answer)).await;
        }
        Some((head[3], stream))
    }

    /// Reads until this frame has come.
    pub(super) async fn until(&mut self, kind: u8, stream: u32) {
        while self.next().await.expect("the connection is open") != (kind, stream) {}
    }
}
