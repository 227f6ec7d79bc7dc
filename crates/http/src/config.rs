//! The settings of the service, with their defaults. Those that every driver has are in [`grange_core::Limits`].

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::auth::Authenticator;
use crate::check::cors::Cors;
use crate::check::host::Hosts;
use crate::check::origin::Origins;
use crate::check::proxies::Proxies;

/// Settings that the service has however it is mounted.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) hosts: Hosts,
    pub(crate) origins: Origins,
    pub(crate) cors: Cors,
    /// Those whose `X-Forwarded-*` headers are trusted.
    pub(crate) proxies: Proxies,
    pub(crate) authenticator: Option<Authentication>,
    /// Whether sessions are kept even if nothing needs them.
    pub(crate) sessions: bool,
    /// Between the comments on an event stream.
    pub(crate) keep_alive: Duration,
    /// For the whole body; in the small server for the head too, from its first byte on.
    pub(crate) read_timeout: Duration,
}

impl Options {
    /// Allows one more host, and no longer this machine's own names.
    pub(crate) fn add_host(&mut self, host: &str) -> Result<(), String> {
        self.set_loopback(false);
        self.hosts.add(host)
    }

    /// Leaves `Host` to a proxy. `Origin` is still checked.
    pub(crate) fn waive_host(&mut self) {
        self.set_loopback(false);
        self.hosts.add_any();
    }

    /// Whether this machine's own names are allowed, as hosts and as origins.
    pub(crate) fn set_loopback(&mut self, allowed: bool) {
        self.hosts.set_loopback(allowed);
        self.origins.set_loopback(allowed);
    }

    /// Lets pages of that origin send requests and read responses.
    pub(crate) fn add_cors(&mut self, origin: &str) -> Result<(), String> {
        self.origins.add(origin)?;
        self.cors.add(origin);
        Ok(())
    }

    pub(crate) fn set_keep_alive(&mut self, every: Duration) -> Result<(), String> {
        self.keep_alive = every;
        refuse(
            every.is_zero(),
            "keep_alive",
            "would fill event streams with comments",
            "the time between two of them",
            "15 s",
        )
    }

    pub(crate) fn set_read_timeout(&mut self, time: Duration) -> Result<(), String> {
        self.read_timeout = time;
        refuse(
            time.is_zero(),
            "read_timeout",
            "gives up every request that is not here at once",
            "the time for it",
            "30 s",
        )
    }
}

impl Default for Options {
    fn default() -> Self {
        let (keep_alive, read_timeout) = (Duration::from_secs(15), Duration::from_secs(30));
        Self {
            hosts: Hosts::default(),
            origins: Origins::default(),
            cors: Cors::default(),
            proxies: Proxies::default(),
            authenticator: None,
            sessions: false,
            keep_alive,
            read_timeout,
        }
    }
}

/// The authenticator.
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
    /// To the first byte of the next request.
    pub(crate) idle_timeout: Duration,
    pub(crate) write_timeout: Duration,
    pub(crate) max_header_bytes: usize,
    pub(crate) max_connections: usize,
}

#[cfg(feature = "serve")]
impl ConnectionOptions {
    /// hyper takes no less for a head over HTTP/1.
    const LEAST_HEADER_BYTES: usize = 8 * 1024;

    pub(crate) fn set_idle_timeout(&mut self, time: Duration) -> Result<(), String> {
        self.idle_timeout = time;
        refuse(
            time.is_zero(),
            "idle_timeout",
            "closes connections that were just opened",
            "how long one may wait",
            "75 s",
        )
    }

    pub(crate) fn set_write_timeout(&mut self, time: Duration) -> Result<(), String> {
        self.write_timeout = time;
        refuse(
            time.is_zero(),
            "write_timeout",
            "gives up every answer that has to wait",
            "how long one may wait",
            "30 s",
        )
    }

    pub(crate) fn set_max_header_bytes(&mut self, bytes: usize) {
        self.max_header_bytes = bytes.max(Self::LEAST_HEADER_BYTES);
    }

    pub(crate) fn set_max_connections(&mut self, connections: usize) -> Result<(), String> {
        self.max_connections = connections;
        refuse(connections == 0, "max_connections", "lets nobody in", "how many may be open at once", "4096")
    }
}

#[cfg(feature = "serve")]
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

/// The problem of a setting that is 0 and with which nothing would be answered.
fn refuse(is_zero: bool, setting: &str, what: &str, meant: &str, default: &str) -> Result<(), String> {
    let problem = || format!("`.{setting}(…)` is 0, which {what}: give {meant}, or leave it out for {default}");
    if is_zero { Err(problem()) } else { Ok(()) }
}
