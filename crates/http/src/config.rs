//! The settings of the service, with their defaults. What core keeps for every driver is in [`grange_core::Limits`].

use std::time::Duration;

use crate::guard::Guard;

/// Settings that the service has however it is mounted.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) guard: Guard,
    /// Whether sessions are kept even if nothing needs them.
    pub(crate) sessions: bool,
    /// Between the comments on an event stream.
    pub(crate) keep_alive: Duration,
    /// For the whole body; in the small server for the head too.
    pub(crate) read_timeout: Duration,
}

impl Default for Options {
    fn default() -> Self {
        let (keep_alive, read_timeout) = (Duration::from_secs(15), Duration::from_secs(30));
        Self { guard: Guard::default(), sessions: false, keep_alive, read_timeout }
    }
}

/// Settings of the small server's connections.
#[cfg(feature = "serve")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConnectionOptions {
    pub(crate) write_timeout: Duration,
    pub(crate) max_header_bytes: usize,
    pub(crate) max_connections: usize,
}

#[cfg(feature = "serve")]
impl Default for ConnectionOptions {
    fn default() -> Self {
        Self { write_timeout: Duration::from_secs(30), max_header_bytes: 64 * 1024, max_connections: 4096 }
    }
}
