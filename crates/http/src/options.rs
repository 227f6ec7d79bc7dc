//! The values of the settings of HTTP, their defaults, and the problems of a value. How an author sets them is in `config.rs`; the
//! settings that every driver has are in [`grange_core::Limits`].

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::auth::Authenticator;
use crate::check::cors::Cors;
use crate::check::host::Hosts;
use crate::check::host::Origins;
use crate::check::proxies::Proxies;
use crate::rate::Rate;

/// The settings of the service, mounted or in the small server.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) hosts: Hosts,
    pub(crate) origins: Origins,
    pub(crate) cors: Cors,
    /// Those whose `X-Forwarded-*` headers are trusted.
    pub(crate) proxies: Proxies,
    pub(crate) authenticator: Option<Authentication>,
    pub(crate) rate: Option<Rate>,
    /// Whether sessions are kept even if the server does not need them.
    pub(crate) sessions: bool,
    /// Between the comments on an event stream.
    pub(crate) keep_alive: Duration,
    /// For the whole body; in the small server for the head too, from its first byte on.
    pub(crate) read_timeout: Duration,
}

/// The default times.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
const READ_TIMEOUT: Duration = Duration::from_secs(30);

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

    /// The problems of settings that are 0.
    pub(crate) fn problems(&self) -> impl Iterator<Item = String> {
        let comments = "would fill event streams with comments: give the time between two of them";
        let requests = "times out every request at once: give the time that one may take";
        [
            zero_problem(self.keep_alive.is_zero(), "keep_alive", comments, &seconds(KEEP_ALIVE)),
            zero_problem(self.read_timeout.is_zero(), "read_timeout", requests, &seconds(READ_TIMEOUT)),
        ]
        .into_iter()
        .flatten()
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            hosts: Hosts::default(),
            origins: Origins::default(),
            cors: Cors::default(),
            proxies: Proxies::default(),
            authenticator: None,
            rate: None,
            sessions: false,
            keep_alive: KEEP_ALIVE,
            read_timeout: READ_TIMEOUT,
        }
    }
}

/// The authenticator.
pub(crate) struct Authentication(pub(crate) Arc<dyn Authenticator>);

impl fmt::Debug for Authentication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Authentication")
    }
}

/// As in `30 s`.
pub(crate) fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs())
}

/// The problem of a setting that is 0, with which no request would be answered. `what` says what happens then and what to set instead.
pub(crate) fn zero_problem(is_zero: bool, setting: &str, what: &str, default: &str) -> Option<String> {
    is_zero.then(|| format!("`.{setting}(…)` is 0, which {what}, or leave it out for {default}"))
}
