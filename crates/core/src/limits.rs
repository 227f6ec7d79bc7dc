//! The limits of a server, in one place and all settable.
//!
//! Core holds the numbers and applies the limits that need no clock and no socket. The drivers apply the others, so
//! that a limit means the same over HTTP, stdio and in memory.

use std::time::Duration;

/// Limits on the memory and the time that clients can make the server use.
///
/// `build()` reports a limit of 0 with which no client would ever get an answer. Where 0 has a use, the field describes
/// it.
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
    /// Longest id of a request, in bytes of its JSON, since the answer repeats it. A request with a longer id is
    /// rejected. Default 4 KiB.
    pub id_bytes: usize,
    /// Longest URI that is looked up, in bytes, since the error for an unknown resource repeats it. A longer URI is
    /// answered as an unknown resource. Default 128 KiB.
    pub uri_bytes: usize,
    /// Most JSON values (arrays, objects, and what is in them) that are made of one part of a message for author code: the
    /// arguments of a call, `_meta`, a parameter of an extension, a host's answer. They take more memory than their JSON,
    /// an object up to a hundred times. Default 100,000, which take about 70 MB at most.
    pub json_values: usize,
    /// Longest time that one request may run. After it, the request is cancelled and answered with an internal error.
    /// Default 60 s. Held streams are exempt.
    pub request_time: Duration,
    /// Requests in flight at once, on one pipe or over one HTTP service. Default 256.
    pub requests_in_flight: usize,
    /// Requests in flight of one principal among them, over HTTP, where requests are authenticated. Default 128.
    pub requests_per_principal: usize,
    /// Requests that wait on one pipe while the in-flight limit is reached. Further requests are rejected at once. 0:
    /// no request waits. Default 1024.
    pub requests_waiting: usize,
    /// Bytes of messages that one connection holds for its client. Over HTTP/2 they are those of
    /// [`service_bytes`](Self::service_bytes) that are for this connection, small answers included. On a pipe: requests that wait or run, and answers that wait until the client reads
    /// them. A request beyond it is rejected at once; code whose answer would be beyond it waits. The client's answers to requests of the
    /// server may have [`answer_bytes`](Self::answer_bytes) more, also in one session over HTTP. At least
    /// [`message_bytes`](Self::message_bytes). Default 64 MiB.
    pub connection_bytes: usize,
    /// Held streams open at once, on one pipe or over one HTTP service. They do not count as requests in flight. 0:
    /// every one is rejected. Default 1024.
    pub streams: usize,
    /// Held streams of one principal among them, over HTTP, where requests are authenticated. 0: none is held. Default 100.
    pub streams_per_principal: usize,
    /// Sessions that one HTTP service keeps at once, if it keeps any. Above this, the session that has been idle
    /// longest is evicted; a session with an open request or stream never is. Default 10,000.
    pub sessions: usize,
    /// Sessions that one principal may have among them, if requests are authenticated. Default 100.
    pub sessions_per_principal: usize,
    /// How long a session without an open request or stream is kept. Default 30 min.
    pub session_idle: Duration,
    /// Bytes of events that one session keeps for a client that resumes a lost stream. 0: it keeps none. Default 256
    /// KiB.
    pub session_bytes: usize,
    /// Longest message accepted, in bytes, while a session waits for the answer to a request to the client, which may
    /// be a file. Never less than [`message_bytes`](Self::message_bytes). Default 16 MiB.
    pub answer_bytes: usize,
    /// Bytes of large messages (of more than 8 KiB) that one HTTP service holds for its clients at once: bodies that
    /// arrive, messages whose requests run, JSON values that are made of them for author code, and answers that clients have not read;
    /// over HTTP/2 also the heads of requests. Beyond it, a request gets 503, and an answer becomes an error with that code. Default
    /// 512 MiB.
    pub service_bytes: usize,
    /// Bytes of one principal among them, where requests are authenticated. Default 256 MiB.
    pub bytes_per_principal: usize,
    /// Pause after a notification of a change, in which further changes are folded. 0: none. Default 100 ms.
    pub notify_interval: Duration,
    /// URIs that one client may subscribe to: one listen, one pipe or one session. Default 1024.
    pub subscribed_uris: usize,
    /// Bytes of the URIs that one client subscribes to. Default 64 KiB.
    pub subscribed_bytes: usize,
    /// Bytes of the URIs that all clients subscribe to. Default 64 MiB.
    pub subscribed_bytes_total: usize,
    /// Grace period of a shutdown: from the signal or the end of input to the end of the last answer. 0: the shutdown
    /// does not wait. Default 10 s.
    pub shutdown_grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            message_bytes: 4 * 1024 * 1024,
            id_bytes: 4 * 1024,
            uri_bytes: 128 * 1024,
            json_values: 100_000,
            request_time: Duration::from_secs(60),
            requests_in_flight: 256,
            requests_per_principal: 128,
            requests_waiting: 1024,
            connection_bytes: 64 * 1024 * 1024,
            streams: 1024,
            streams_per_principal: 100,
            sessions: 10_000,
            sessions_per_principal: 100,
            session_idle: Duration::from_secs(30 * 60),
            session_bytes: 256 * 1024,
            answer_bytes: 16 * 1024 * 1024,
            service_bytes: 512 * 1024 * 1024,
            bytes_per_principal: 256 * 1024 * 1024,
            notify_interval: Duration::from_millis(100),
            subscribed_uris: 1024,
            subscribed_bytes: 64 * 1024,
            subscribed_bytes_total: 64 * 1024 * 1024,
            shutdown_grace: Duration::from_secs(10),
        }
    }
}

impl Limits {
    /// The limits of 0 with which no client would get an answer, each with its remedy.
    pub(crate) fn errors(&self) -> impl Iterator<Item = String> {
        let sessions =
            "none can be opened: to keep none, leave out what needs them (`.sessions()`, `.requests_to_client()`)";
        [
            (self.message_bytes == 0, "message_bytes", "no message is short enough: give the longest, in bytes"),
            (self.json_values == 0, "json_values", "no arguments can be read: give the most values of a call"),
            (self.request_time.is_zero(), "request_time", "no request has time for its answer: give the longest time"),
            (self.requests_in_flight == 0, "requests_in_flight", "no request is let in: give how many run at once"),
            (
                self.requests_per_principal == 0,
                "requests_per_principal",
                "no authenticated request is let in: give how many of one principal run at once",
            ),
            (self.service_bytes == 0, "service_bytes", "no large answer is sent: give how many bytes are held at once"),
            (
                self.bytes_per_principal == 0,
                "bytes_per_principal",
                "no large answer is sent to an authenticated client: give how many bytes are held for one principal",
            ),
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
        .chain(self.narrow_connection())
    }

    /// A pipe that could never take the longest message.
    fn narrow_connection(&self) -> Option<String> {
        let Self { connection_bytes, message_bytes, .. } = self;
        (connection_bytes < message_bytes).then(|| {
            format!(
                "`Limits::connection_bytes` is {connection_bytes} and less than `message_bytes`, which is {message_bytes}, so a pipe has no \
                 room for the longest request: raise the one, or lower the other"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_of_0_is_a_mistake_exactly_where_nothing_would_be_answered() {
        assert_eq!(Limits::default().errors().count(), 0);
        let chosen = Limits {
            requests_waiting: 0,
            streams: 0,
            streams_per_principal: 0,
            session_bytes: 0,
            answer_bytes: 0,
            shutdown_grace: Duration::ZERO,
            ..Limits::default()
        };
        assert_eq!(chosen.errors().count(), 0);
        let narrow = Limits { message_bytes: 1001, connection_bytes: 1000, ..chosen.clone() };
        let errors: Vec<_> = narrow.errors().collect();
        assert!(
            matches!(&errors[..], [error] if error.starts_with("`Limits::connection_bytes` is 1000 ")),
            "{errors:?}"
        );
        assert_eq!(Limits { connection_bytes: 1001, ..narrow }.errors().count(), 0);
        let wrong = Limits {
            message_bytes: 0,
            json_values: 0,
            request_time: Duration::ZERO,
            requests_in_flight: 0,
            requests_per_principal: 0,
            service_bytes: 0,
            bytes_per_principal: 0,
            sessions: 0,
            sessions_per_principal: 0,
            session_idle: Duration::ZERO,
            ..chosen
        };
        let errors: Vec<_> = wrong.errors().collect();
        assert_eq!(errors.len(), 10, "{errors:?}");
        for bound in [
            "message_bytes",
            "json_values",
            "request_time",
            "requests_in_flight",
            "requests_per_principal",
            "service_bytes",
            "bytes_per_principal",
            "sessions",
            "sessions_per_principal",
            "session_idle",
        ] {
            let named = format!("`Limits::{bound}` is 0");
            assert_eq!(errors.iter().filter(|error| error.starts_with(&named)).count(), 1, "{bound}: {errors:?}");
        }
    }
}
