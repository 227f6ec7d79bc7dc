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
    /// How long a graceful shutdown may take, from the signal or the end of input to the end of the last answer.
    /// Default 10 s.
    pub shutdown_grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            message_bytes: 4 * 1024 * 1024,
            request_time: Duration::from_secs(60),
            requests_in_flight: 256,
            requests_waiting: 1024,
            streams: 1024,
            shutdown_grace: Duration::from_secs(10),
        }
    }
}
