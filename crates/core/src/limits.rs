//! The bounds a server keeps, in one place and all settable.
//!
//! Core only holds the numbers and applies those that need no clock and no socket; the drivers apply the rest, so that
//! a limit means the same over HTTP, stdio and in memory.

use std::time::Duration;

/// Bounds on what one client can make the server hold or wait for.
///
/// A bound of 0 with which no client would ever be answered is a mistake that `build()` finds. Where 0 is a choice, the bound says so.
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
    /// Requests that wait for a place on one pipe; past it they are refused at once. 0: none waits. Default 1024.
    pub requests_waiting: usize,
    /// Streams held open at once, on one pipe or over one HTTP service. They take no place among the requests. 0: none is held.
    /// Default 1024.
    pub streams: usize,
    /// Sessions kept at once over one HTTP service, where any are. Past it the one that has been idle longest makes room;
    /// one with a request or a stream open never does. Default 10,000.
    pub sessions: usize,
    /// Sessions of one principal among them, where the application says who a request is from. Default 100.
    pub sessions_per_principal: usize,
    /// How long a session is kept that has no request and no stream open. Default 30 min.
    pub session_idle: Duration,
    /// Bytes of events that one session keeps for a client that lost a stream and comes back. 0: it keeps none. Default 256 KiB.
    pub session_bytes: usize,
    /// Longest body accepted where a session waits for the answer to a request of the server's own, which may be a file.
    /// Never less than [`message_bytes`](Self::message_bytes). Default 16 MiB.
    pub answer_bytes: usize,
    /// How long a graceful shutdown may take, from the signal or the end of input to the end of the last answer. 0: it waits for
    /// nothing. Default 10 s.
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

impl Limits {
    /// The bounds of 0 that would leave every client without an answer, each with its remedy.
    pub(crate) fn mistakes(&self) -> impl Iterator<Item = String> {
        let sessions =
            "none can be opened: to keep none, leave out what needs them (`.sessions()`, `.client_requests()`)";
        [
            (self.message_bytes == 0, "message_bytes", "no message is short enough: give the longest, in bytes"),
            (self.request_time.is_zero(), "request_time", "no request has time for its answer: give the longest time"),
            (self.requests_in_flight == 0, "requests_in_flight", "no request is let in: give how many run at once"),
            (self.sessions == 0, "sessions", sessions),
            (self.sessions_per_principal == 0, "sessions_per_principal", sessions),
            (
                self.session_idle.is_zero(),
                "session_idle",
                "each session is over before its first request: give its time",
            ),
        ]
        .into_iter()
        .filter(|(is_zero, ..)| *is_zero)
        .map(|(_, bound, problem)| format!("`Limits::{bound}` is 0, so {problem}, or leave the default"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_of_0_is_a_mistake_exactly_where_nothing_would_be_answered() {
        assert_eq!(Limits::default().mistakes().count(), 0);
        let chosen = Limits {
            requests_waiting: 0,
            streams: 0,
            session_bytes: 0,
            answer_bytes: 0,
            shutdown_grace: Duration::ZERO,
            ..Limits::default()
        };
        assert_eq!(chosen.mistakes().count(), 0);
        let wrong = Limits {
            message_bytes: 0,
            request_time: Duration::ZERO,
            requests_in_flight: 0,
            sessions: 0,
            sessions_per_principal: 0,
            session_idle: Duration::ZERO,
            ..chosen
        };
        let mistakes: Vec<_> = wrong.mistakes().collect();
        assert_eq!(mistakes.len(), 6, "{mistakes:?}");
        for bound in [
            "message_bytes",
            "request_time",
            "requests_in_flight",
            "sessions",
            "sessions_per_principal",
            "session_idle",
        ] {
            let named = format!("`Limits::{bound}` is 0");
            assert_eq!(
                mistakes.iter().filter(|mistake| mistake.starts_with(&named)).count(),
                1,
                "{bound}: {mistakes:?}"
            );
        }
    }
}
