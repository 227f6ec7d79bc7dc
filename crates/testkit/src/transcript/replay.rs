//! Replays a transcript over a wire and reports where the server's messages differ.

use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};
use std::{env, fs};

use grange_core::{Revision, Server};

use super::file::{Exchange, Transcript};
use crate::clock::ManualClock;
use crate::line::Line;

/// Carries the messages of one client to a server and back.
pub trait Wire {
    /// Sends a message and returns all messages of the server, up to the point where no more arrive without new input.
    fn exchange(&mut self, message: &str) -> impl Future<Output = Answer>;
}

/// The server's response to one message.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Answer {
    /// The HTTP status, if the wire has one.
    pub status: Option<u16>,
    /// The messages, in order.
    pub messages: Vec<String>,
}

/// The engine itself as a wire: works as over a pipe, or as over HTTP without sessions.
///
/// ```
/// use grange_core::Server;
/// use grange_testkit::transcript::{MemoryWire, Wire};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = Server::builder("documentation", "1.0.0").build()?;
/// let answer = MemoryWire::pipe(&server).exchange(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).await;
/// assert_eq!(answer.messages, [r#"{"jsonrpc":"2.0","id":1,"result":{}}"#]);
/// # Ok(())
/// # }
/// ```
pub struct MemoryWire(Line);

impl MemoryWire {
    /// Works as over a pipe.
    pub fn pipe(server: &Server) -> Self {
        Self(Line::pipe(server, ManualClock::new()))
    }

    /// Works as over HTTP, with a client of that revision.
    pub fn http(server: &Server, revision: Revision) -> Self {
        Self(Line::http(server, revision, ManualClock::new()))
    }
}

impl Wire for MemoryWire {
    async fn exchange(&mut self, message: &str) -> Answer {
        self.0.send(message.as_bytes());
        self.0.settle();
        let messages = std::iter::from_fn(|| self.0.receive()).map(|(_, message)| message);
        let messages = messages.map(|message| String::from_utf8_lossy(&message).into_owned()).collect();
        Answer { status: None, messages }
    }
}

impl Transcript {
    /// Sends the same messages over a wire and returns the new transcript.
    pub async fn replay(&self, wire: &mut impl Wire) -> Self {
        let mut replayed = self.clone();
        for exchange in &mut replayed.exchanges {
            let Answer { status, messages } = wire.exchange(&exchange.sent).await;
            if let Some(status) = status {
                let usual = if messages.is_empty() { 202 } else { 200 };
                exchange.status = Some(status).filter(|status| *status != usual);
            }
            exchange.received = messages;
        }
        replayed
    }

    /// The differences from another transcript of the same messages; empty if there are none.
    pub fn difference(&self, other: &Self) -> String {
        let mut out = String::new();
        for (expected, found) in self.exchanges.iter().zip(&other.exchanges).filter(|(one, other)| one != other) {
            let (expected_lines, found_lines) = (answer(expected), answer(found));
            let gone = lines('-', &expected_lines, &found_lines);
            let new = lines('+', &found_lines, &expected_lines);
            let order = if gone.is_empty() && new.is_empty() { "  the order differs\n" } else { "" };
            let _ = write!(out, "  >>> {}\n{gone}{new}{order}", expected.sent);
        }
        out
    }
}

/// The lines that are not in `others`, each after `sign`.
fn lines(sign: char, lines: &[String], others: &[String]) -> String {
    lines
        .iter()
        .filter(|line| !others.contains(line))
        .fold(String::new(), |out, line| out + &format!("{sign} {line}\n"))
}

/// The status and the messages, one per line.
fn answer(Exchange { status, received, .. }: &Exchange) -> Vec<String> {
    let status = status.map_or_else(|| "=== as usual".to_owned(), |status| format!("=== {status}"));
    let none = received.is_empty().then(|| "<<< nothing".to_owned());
    let received = received.iter().map(|message| format!("<<< {message}"));
    [status].into_iter().chain(received).chain(none).collect()
}

/// Replays a file, compares, and returns the replayed transcript. With `UPDATE=1` in the environment, rewrites the file
/// instead of comparing.
///
/// # Errors
/// The differences, or why the file could not be read, parsed or written.
pub async fn check_file(path: &Path, wire: &mut impl Wire) -> Result<Transcript, Mismatch> {
    let mismatch = |what: String| Mismatch { path: path.to_owned(), what };
    let text = fs::read_to_string(path).map_err(|error| mismatch(error.to_string()))?;
    let expected = Transcript::parse(&text).map_err(mismatch)?;
    let found = expected.replay(wire).await;
    let difference = expected.difference(&found);
    if difference.is_empty() {
        return Ok(found);
    }
    if env::var_os("UPDATE").is_some_and(|value| value == "1") {
        fs::write(path, found.to_string()).map_err(|error| mismatch(error.to_string()))?;
        return Ok(found);
    }
    Err(mismatch(difference))
}

/// A file whose replay differs.
pub struct Mismatch {
    path: PathBuf,
    what: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let remedy = "(`UPDATE=1` rewrites the file; review what it writes)";
        write!(f, "{} {remedy}\n{}", self.path.display(), self.what)
    }
}

/// The same as `Display`, because `unwrap` prints it.
impl fmt::Debug for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Mismatch {}
