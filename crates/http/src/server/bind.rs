//! From the settings of the small server to an open listener: the settings are checked as a whole, then the address is opened, unless
//! the author has handed a listener over.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};

use grange_core::Error;
use tokio::net::lookup_host;

use super::announce::announce;
use super::connection_options::ConnectionOptions;
use super::listener::{BoundAddress, OpenListener};
use super::open::open;
use super::settings::{Listen, Shutdown, Source};
use crate::config::HttpConfig;
use crate::options::Options;

/// An open listener that a server can serve on; see [`HttpConfig::bind`].
#[must_use = "connections wait until the server serves"]
pub struct Bound {
    pub(super) listener: OpenListener,
    pub(super) options: Options,
    pub(super) path: String,
    pub(super) connections: ConnectionOptions,
    pub(super) shutdown: Option<Shutdown>,
    address: BoundAddress,
}

impl Bound {
    /// The address, with the port that the system chose if it was to; `None` on a Unix socket.
    pub fn local_addr(&self) -> Option<SocketAddr> {
        self.address.address()
    }
}

impl HttpConfig<Listen> {
    /// Checks the settings and opens the address, unless a listener was handed over. Clients can connect from here on; they are
    /// answered once [`Bound::serve`] runs.
    ///
    /// # Errors
    /// [`Error::Config`] for settings that do not hold together, before anything is opened; [`Error::Io`] from the
    /// system, such as an address in use, with its kind as the system gave it and with the remedy in its text.
    pub async fn bind(mut self) -> Result<Bound, Error> {
        let Listen { path, connections, .. } = &self.target;
        self.problems.extend(connections.problems());
        if !path.starts_with('/') {
            self.problems.push(format!("path `{path}` must begin with a slash: write `/{path}`"));
        }
        let targets = self.targets().await?;
        let (options, settings) = self.checked()?;
        let Listen { source, path, connections, shutdown, on_listening, announce: is_announced } = settings;
        let listener = match source {
            Source::Address(address) => OpenListener::Tcp(open(&address, &targets).await?),
            Source::Listener(listener) => listener.open()?,
        };
        let address = listener.address()?;
        announce(&address, &path, is_announced);
        if let (Some(on_listening), Some(address)) = (on_listening, address.address()) {
            on_listening(address);
        }
        Ok(Bound { listener, options, path, connections, shutdown, address })
    }

    /// The addresses to open, or the one that is open already; none for a Unix socket. Also checks the settings that depend on them.
    async fn targets(&mut self) -> io::Result<Vec<SocketAddr>> {
        let (targets, text) = match &self.target.source {
            Source::Address(address) => match lookup_host(address).await {
                Ok(addresses) => (addresses.collect(), address.clone()),
                Err(error) => {
                    self.problems.push(format!("address `{address}`: {error}; write it as in `127.0.0.1:8787`"));
                    return Ok(Vec::new());
                }
            },
            Source::Listener(listener) => {
                let Some(address) = listener.address()?.address() else {
                    self.check_unix();
                    return Ok(Vec::new());
                };
                (vec![address], address.to_string())
            }
        };
        self.check_reach(&targets, &text);
        Ok(targets)
    }

    /// Who can reach the server decides which hosts it answers to by default.
    fn check_reach(&mut self, targets: &[SocketAddr], text: &str) {
        if targets.iter().all(|address| is_loopback(address.ip())) {
            self.options.set_loopback(true);
        } else if !self.options.hosts.has_policy() {
            self.problems.push(format!(
                "address `{text}` is open to other machines, and nothing says which hosts they may address: name \
                 them with `.public_hosts([\"mcp.example.com\"])`, or say `.behind_proxy()` if a proxy in front checks \
                 Host, or listen on `127.0.0.1`"
            ));
        }
    }

    /// Only this machine can reach a Unix socket, and no client on one has an address.
    fn check_unix(&mut self) {
        self.options.set_loopback(true);
        if !self.options.proxies.is_empty() {
            self.problems.push(
                "`.trusted_proxies(…)` knows proxies by their addresses, and a Unix socket shows none: leave it out, let \
                 the proxy pass `Host` on, and name the hosts with `.public_hosts([\"mcp.example.com\"])`"
                    .to_owned(),
            );
        }
        if self.target.on_listening.is_some() {
            self.problems.push(
                "`.on_listening(…)` is called with an address, and a Unix socket has none: leave it out; clients can \
                 connect from the moment when you bound the socket"
                    .to_owned(),
            );
        }
    }
}

fn is_loopback(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

impl fmt::Debug for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bound").field("address", &self.address).field("path", &self.path).finish_non_exhaustive()
    }
}
