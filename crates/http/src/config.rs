//! The settings of HTTP as an author makes them: one builder, for the service that is mounted and for the small server. It collects
//! the mistakes, which are reported all at once.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use grange_core::Error;
use http::request::Parts;

use crate::auth::Authenticator;
use crate::options::{Authentication, Options};
use crate::rate::Rate;

/// The settings of HTTP: of the small server ([`Http`](crate::Http)), or of a service to mount
/// ([`HttpServiceBuilder`](crate::HttpServiceBuilder)).
///
/// A setter never fails. What is wrong with the settings is reported by [`Server::listen`](grange_core::Server::listen), or by
/// [`build`](HttpConfig::build) of a service: all mistakes at once, each with its remedy.
#[must_use = "settings do nothing until `Server::listen` or `build` takes them"]
pub struct HttpConfig<T> {
    pub(crate) options: Options,
    /// What is wrong with the settings so far, each with its remedy.
    pub(crate) problems: Vec<String>,
    /// What is configured.
    pub(crate) target: T,
}

impl<T> HttpConfig<T> {
    pub(crate) fn new(target: T) -> Self {
        Self { options: Options::default(), problems: Vec::new(), target }
    }

    /// The hosts that clients may address, exactly as their `Host` header has them: `mcp.example.com`, with a port where they use
    /// one. Replaces the default, which is this machine's own names (`localhost`, 127.0.0.0/8, `[::1]`); a server that only this
    /// machine can reach, since it listens on a loopback address or a Unix socket, keeps those beside them.
    pub fn public_hosts<H: AsRef<str>>(mut self, hosts: impl IntoIterator<Item = H>) -> Self {
        for host in hosts {
            self.problems.extend(self.options.add_host(host.as_ref()).err());
        }
        self
    }

    /// Accepts every `Host`, because a proxy in front checks it. `Origin` is still checked.
    pub fn behind_proxy(mut self) -> Self {
        self.options.waive_host();
        self
    }

    /// Proxies in front, by address or network (`10.0.0.7`, `10.0.0.0/8`), whose `X-Forwarded-Host` and `X-Forwarded-Proto` headers are
    /// trusted. The forwarded host is then checked instead of `Host`, against [`public_hosts`](Self::public_hosts), and readers find
    /// both values as [`ForwardedOrigin`](crate::ForwardedOrigin). From other senders these headers are ignored.
    ///
    /// The proxy must set both itself, whatever the client sent. The small server knows the address of the sender, except on a Unix
    /// socket, where this setting is a mistake; where the service is mounted, the application adds it to the request, as
    /// [`PeerAddr`](crate::PeerAddr).
    pub fn trusted_proxies<P: AsRef<str>>(mut self, proxies: impl IntoIterator<Item = P>) -> Self {
        for proxy in proxies {
            self.problems.extend(self.options.proxies.add(proxy.as_ref()).err());
        }
        self
    }

    /// More origins whose pages may send requests, exactly as browsers write them: `https://app.example.com`.
    pub fn allow_origins<O: AsRef<str>>(mut self, origins: impl IntoIterator<Item = O>) -> Self {
        for origin in origins {
            self.problems.extend(self.options.origins.add(origin.as_ref()).err());
        }
        self
    }

    /// Lets pages of these origins read responses, exactly as browsers write them: `https://app.example.com`. They may then send
    /// requests too, as with [`allow_origins`](Self::allow_origins).
    pub fn cors<O: AsRef<str>>(mut self, origins: impl IntoIterator<Item = O>) -> Self {
        for origin in origins {
            self.problems.extend(self.options.add_cors(origin.as_ref()).err());
        }
        self
    }

    /// Rejects every request that the authenticator does not accept, before its body is read. The identity that it returns is in the
    /// request's extensions, for readers and tools; sessions belong to its principal.
    ///
    /// The document that tells clients how to get a token, if the authenticator has one, is served at its own paths by the small
    /// server; where the service is mounted, the application mounts
    /// [`HttpService::metadata_service`](crate::HttpService::metadata_service) there.
    pub fn authenticator(mut self, authenticator: impl Authenticator) -> Self {
        self.options.authenticator = Some(Authentication(Arc::new(authenticator)));
        self
    }

    /// Limits how often a caller may send requests. `admit` gets the head of the HTTP request, with the
    /// [`Principal`](crate::Principal) among its extensions if it is authenticated, and says whether one more request may run now. It is
    /// called once for each request, also for each one of a batch, before anything of it runs: it must not block. A request that it does
    /// not admit gets the busy answer (503), as a member of a batch an error of its own.
    ///
    /// A tower layer sees only HTTP requests, so it counts a batch of a hundred as one.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU32, Ordering};
    ///
    /// use grange_core::{Error, Server};
    /// use grange_http::HttpService;
    ///
    /// # fn main() -> Result<(), Error> {
    /// let server = Server::builder("documentation", "1.0.0").build()?;
    /// let left = AtomicU32::new(1000);
    /// let take = move || left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok();
    /// let service = HttpService::builder(server).rate_limit(move |_head| take()).build()?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// The example `limits` counts by principal.
    pub fn rate_limit(mut self, admit: impl Fn(&Parts) -> bool + Send + Sync + 'static) -> Self {
        self.options.rate = Some(Rate::new(admit));
        self
    }

    /// Keeps sessions for clients whose protocol revision has them, even if nothing of the server needs any: clients can then
    /// cancel a request by its id and resume a stream whose connection was lost. A server that sends requests to clients keeps
    /// sessions in any case.
    ///
    /// A session lives in this process: with several processes behind a balancer, the requests of one session must all reach the same
    /// one. Where a middleware authenticates requests, and no authenticator here, it adds a [`Principal`](crate::Principal) to each.
    pub fn sessions(mut self) -> Self {
        self.options.sessions = true;
        self
    }

    /// How often a comment is sent on an event stream, so that proxies do not close it as idle. Default 15 s.
    pub fn keep_alive(mut self, every: Duration) -> Self {
        self.options.keep_alive = every;
        self
    }

    /// How long the body of a request may take to arrive; in the small server its head too, from the first byte on. Default 30 s.
    pub fn read_timeout(mut self, time: Duration) -> Self {
        self.options.read_timeout = time;
        self
    }

    /// The settings and what they configure, if nothing is wrong with them.
    pub(crate) fn checked(mut self) -> Result<(Options, T), Error> {
        self.problems.extend(self.options.problems());
        if self.problems.is_empty() {
            Ok((self.options, self.target))
        } else {
            Err(Error::Config(self.problems.join("\n")))
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for HttpConfig<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpConfig").field("target", &self.target).finish_non_exhaustive()
    }
}
