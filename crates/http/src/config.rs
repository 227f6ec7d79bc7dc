//! The settings of the service, with their defaults. What core keeps for every driver is in [`grange_core::Limits`].

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::cors::Cors;
use crate::guard::Guard;
use crate::identity::Authenticator;
use crate::proxies::Proxies;

/// Settings that the service has however it is mounted.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) guard: Guard,
    pub(crate) cors: Cors,
    /// What a client addressed is theirs to say.
    pub(crate) proxies: Proxies,
    pub(crate) authenticator: Option<Authentication>,
    /// Whether sessions are kept even if nothing needs them.
    pub(crate) sessions: bool,
    /// Between the comments on an event stream.
    pub(crate) keep_alive: Duration,
    /// For the whole body; in the small server for the head too.
    pub(crate) read_timeout: Duration,
}

impl Options {
    /// Lets pages of that origin ask and read.
    pub(crate) fn add_cors(&mut self, origin: &str) -> Result<(), String> {
        self.guard.add_origin(origin)?;
        self.cors.add(origin);
        Ok(())
    }
}

impl Default for Options {
    fn default() -> Self {
        let (keep_alive, read_timeout) = (Duration::from_secs(15), Duration::from_secs(30));
        Self {
            guard: Guard::default(),
            cors: Cors::default(),
            proxies: Proxies::default(),
            authenticator: None,
            sessions: false,
            keep_alive,
            read_timeout,
        }
    }
}

/// What says who a request is from.
#[derive(Clone)]
pub(crate) struct Authentication(pub(crate) Arc<dyn Authenticator>);

impl fmt::Debug for Authentication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Authentication")
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
