//! The bounds a server keeps, in one place and all settable.
//!
//! Core only holds the numbers and applies those that need no clock and no socket; the drivers apply the rest, so that
//! a limit means the same over HTTP, stdio and in memory.

use std::time::Duration;

/// Bounds on what one client can make the server hold or wait for.
///
/// ```
/// use grange_core::Limits;
/// let limits = Limits { message_bytes: 64 * 1024, ..Limits::default() };
/// assert_eq!(limits.requests_in_flight, 256);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Longest message accepted, in bytes: an HTTP body, or a line on a pipe. Default 4 MiB.
    pub message_bytes: usize,
    /// Longest id of a request, in bytes of its JSON: it is sent back with the answer. A longer one is refused. Default 4 KiB.
    pub id_bytes: usize,
    /// Longest URI that is looked up, in bytes: one that is not found is sent back with the error. A longer one is no resource's.
    /// Default 128 KiB.
    pub uri_bytes: usize,
    /// How long one request may run before it is cancelled and answered with an internal error. Default 60 s. Held
    /// subscription streams are exempt.
    pub request_time: Duration,
    /// Requests that run at once, on one pipe or over one HTTP service. Default 256.
    pub requests_in_flight: usize,
    /// Requests that wait for a place on one pipe; past it they are refused at once. Default 1024.
    pub requests_waiting: usize,
    /// Streams held open at once, on one pipe or over one HTTP service. They take no place among the requests. Default
    /// 1024.
    pub streams: usize,
    /// Sessions kept at once over one HTTP service, where any are. Past it the one that has been idle longest makes room;
    /// one with a request or a stream open never does. Default 10,000.
    pub sessions: usize,
    /// Sessions of one principal among them, where the application says who a request is from. Default 100.
    pub sessions_per_principal: usize,
    /// How long a session is kept that has no request and no stream open. Default 30 min.
    pub session_idle: Duration,
    /// Bytes of events that one session keeps for a client that lost a stream and comes back. Default 256 KiB.
    pub session_bytes: usize,
    /// Longest body accepted where a session waits for the answer to a request of the server's own, which may be a file.
    /// Default 16 MiB.
    pub answer_bytes: usize,
    /// How long a graceful shutdown may take, from the signal or the end of input to the end of the last answer.
    /// Default 10 s.
    pub shutdown_grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            message_bytes: 4 * 1024 * 1024,
            id_bytes: 4 * 1024,
            uri_bytes: 128 * 1024,
            request_time: Duration::from_secs(60),
            requests_in_flight: 256,
            requests_waiting: 1024,
            streams: 1024,
            sessions: 10_000,
            sessions_per_principal: 100,
            session_idle: Duration::from_secs(30 * 60),
            session_bytes: 256 * 1024,
            answer_bytes: 16 * 1024 * 1024,
            shutdown_grace: Duration::from_secs(10),
        }
    }
}
