//! The values of the settings of the small server's connections, their defaults, and the problems of a value.

use std::time::Duration;

use crate::options::{seconds, zero_problem};

/// Settings of the small server's connections.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConnectionOptions {
    /// To the first byte of the next request.
    pub(crate) idle_timeout: Duration,
    pub(crate) write_timeout: Duration,
    pub(crate) max_header_bytes: usize,
    pub(crate) max_connections: usize,
}

/// Longer than most load balancers keep a connection: the server must not be the first to close it.
const IDLE_TIMEOUT: Duration = Duration::from_secs(75);
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
/// Instead of the write timeout once the server is to end: long enough for bytes that were lost on the way and are sent again, and much
/// less than the usual grace.
pub(crate) const FAREWELL_WRITE: Duration = Duration::from_secs(3);
const MAX_CONNECTIONS: usize = 4096;

impl ConnectionOptions {
    /// hyper takes no less for a head over HTTP/1.
    const LEAST_HEADER_BYTES: usize = 8 * 1024;

    pub(crate) fn set_max_header_bytes(&mut self, bytes: usize) {
        self.max_header_bytes = bytes.max(Self::LEAST_HEADER_BYTES);
    }

    /// The problems of settings that are 0.
    pub(crate) fn problems(&self) -> impl Iterator<Item = String> {
        let idle = "closes every connection at once: give how long one may be idle";
        let write = "drops every response that cannot be sent at once: give how long a write may take";
        let connections = "accepts no connection: give how many may be open at once";
        [
            zero_problem(self.idle_timeout.is_zero(), "idle_timeout", idle, &seconds(IDLE_TIMEOUT)),
            zero_problem(self.write_timeout.is_zero(), "write_timeout", write, &seconds(WRITE_TIMEOUT)),
            zero_problem(self.max_connections == 0, "max_connections", connections, &MAX_CONNECTIONS.to_string()),
        ]
        .into_iter()
        .flatten()
    }
}

impl Default for ConnectionOptions {
    fn default() -> Self {
        Self {
            idle_timeout: IDLE_TIMEOUT,
            write_timeout: WRITE_TIMEOUT,
            max_header_bytes: 64 * 1024,
            max_connections: MAX_CONNECTIONS,
        }
    }
}
