//! The engine's view of an HTTP exchange: the seam between the engine and a driver.

use std::time::Instant;

use crate::session::Session;

pub(super) const PROTOCOL_VERSION: &str = "mcp-protocol-version";

/// A request header as received.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Header<'a> {
    /// No line with this name.
    Absent,
    /// One line, with this value.
    One(&'a [u8]),
    /// Several lines with this name.
    Many,
}

/// The result of a look-up of the session that a request names.
#[derive(Clone, Debug)]
pub enum Lookup {
    /// The driver keeps no sessions.
    NotKept,
    /// The request names no session.
    Missing,
    /// The session never existed, has ended, or belongs to another principal.
    Unknown,
    /// The session was found.
    Known(Session),
}

/// A driver's clock. The engine reads it only to measure how long a request took.
pub type Clock = fn() -> Instant;

/// One HTTP exchange, as far as the engine needs it. Implemented by a type that has the head of the request.
///
/// ```
/// use grange_core::{Exchange, Header};
///
/// /// A head with one header.
/// struct Head(&'static str);
///
/// impl Exchange for Head {
///     fn header(&self, name: &str) -> Header<'_> {
///         if name == "mcp-protocol-version" { Header::One(self.0.as_bytes()) } else { Header::Absent }
///     }
///
///     fn takes_stream(&self) -> bool {
///         true
///     }
/// }
///
/// assert_eq!(Head("2025-06-18").header("mcp-protocol-version"), Header::One(b"2025-06-18"));
/// ```
pub trait Exchange {
    /// The header with that name, which is in lower case.
    fn header(&self, name: &str) -> Header<'_>;

    /// Whether the client accepts an event stream as the answer.
    fn takes_stream(&self) -> bool;

    /// The driver's clock. Spans and metrics measure the duration of each request with it.
    fn clock(&self) -> Option<Clock> {
        None
    }

    /// Whether one more request of this exchange may run, as a limit on their rate says. Called once for each request, also for each of a
    /// batch, before it is dispatched. `false`: it is answered as busy.
    fn admits_request(&self) -> bool {
        true
    }

    /// The principal of the request, if requests are authenticated. What is announced for one principal reaches its own clients.
    fn principal(&self) -> Option<&str> {
        None
    }

    /// The session that the request names, if the driver keeps sessions. Called only for revisions that have sessions.
    fn session(&self) -> Lookup {
        Lookup::NotKept
    }
}

/// A field value without the spaces and tabs at its ends.
pub(super) fn trim(value: &[u8]) -> &[u8] {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t');
    let start = value.iter().position(|byte| !is_space(byte)).unwrap_or(value.len());
    let end = value.iter().rposition(|byte| !is_space(byte)).map_or(start, |last| last + 1);
    &value[start..end]
}
