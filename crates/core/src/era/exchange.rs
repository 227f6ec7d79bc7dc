//! What the engine may ask of an HTTP exchange: the seam between it and a driver.

use std::time::Instant;

use crate::session::Session;

pub(super) const PROTOCOL_VERSION: &str = "mcp-protocol-version";

/// A request header as it came.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Header<'a> {
    /// Not there.
    Absent,
    /// One line, with this value.
    One(&'a [u8]),
    /// Several lines.
    Many,
}

/// What came of looking for the session that a request names.
#[derive(Clone, Debug)]
pub enum Lookup {
    /// This driver keeps no sessions.
    NotKept,
    /// The request names none.
    Missing,
    /// It was never there, is over, or is somebody else's.
    Unknown,
    /// This one.
    Known(Session),
}

/// A driver's clock, which the engine reads only to say how long a request took.
pub type Clock = fn() -> Instant;

/// One HTTP exchange, as far as the engine looks at it. Implemented by whatever has the request's head.
pub trait Exchange {
    /// The header of that lower-case name.
    fn header(&self, name: &str) -> Header<'_>;

    /// Whether the client takes an event stream for an answer.
    fn takes_stream(&self) -> bool;

    /// The driver's clock. Spans and metrics measure the duration of each request with it.
    fn clock(&self) -> Option<Clock> {
        None
    }

    /// The session that the request names, where sessions are kept. Asked only for revisions that have sessions.
    fn session(&self) -> Lookup {
        Lookup::NotKept
    }
}

/// A field value without the spaces and tabs around it.
pub(super) fn trim(value: &[u8]) -> &[u8] {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t');
    let start = value.iter().position(|byte| !is_space(byte)).unwrap_or(value.len());
    let end = value.iter().rposition(|byte| !is_space(byte)).map_or(start, |last| last + 1);
    &value[start..end]
}
