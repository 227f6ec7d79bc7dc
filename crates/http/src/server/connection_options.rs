//! The values of the settings of the small server's connections, with their defaults, and what may be wrong with each.

use std::time::Duration;

use crate::options::zero_problem;

/// Settings of the small server's connections.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConnectionOptions {
    /// To the first byte of the next request.
    pub(crate) idle_timeout: Duration,
    pub(crate) write_timeout: Duration,
    pub(crate) max_header_bytes: usize,
    pub(crate) max_connections: usize,
}

impl ConnectionOptions {
    /// hyper takes no less for a head over HTTP/1.
    const LEAST_HEADER_BYTES: usize = 8 * 1024;

    pub(crate) fn set_max_header_bytes(&mut self, bytes: usize) {
        self.max_header_bytes = bytes.max(Self::LEAST_HEADER_BYTES);
    }

    /// The problems of settings that are 0.
    pub(crate) fn problems(&self) -> impl Iterator<Item = String> {
        let idle = "closes connections that were just opened: give how long one may wait";
        let write = "gives up every answer that has to wait: give how long one may wait";
        let connections = "lets nobody in: give how many may be open at once";
        [
            zero_problem(self.idle_timeout.is_zero(), "idle_timeout", idle, "75 s"),
            zero_problem(self.write_timeout.is_zero(), "write_timeout", write, "30 s"),
            zero_problem(self.max_connections == 0, "max_connections", connections, "4096"),
        ]
        .into_iter()
        .flatten()
    }
}

impl Default for ConnectionOptions {
    fn default() -> Self {
        Self {
            // Longer than most load balancers keep a connection: the server must not be the first to close it.
            idle_timeout: Duration::from_secs(75),
            write_timeout: Duration::from_secs(30),
            max_header_bytes: 64 * 1024,
            max_connections: 4096,
        }
    }
}
