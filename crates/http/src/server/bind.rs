//! From the settings of the small server to an open address: the settings are checked as a whole, then the address is opened.

use std::net::{IpAddr, SocketAddr};

use grange_core::Error;
use tokio::net::{TcpListener, lookup_host};

use super::listen::{announce, open};
use super::settings::Listen;
use crate::config::HttpConfig;
use crate::options::Options;

/// An open address that a server can serve on; see [`HttpConfig::bind`].
#[derive(Debug)]
#[must_use = "connections wait until the server serves"]
pub struct Bound {
    pub(super) listener: TcpListener,
    pub(super) options: Options,
    pub(super) settings: Listen,
    local_addr: SocketAddr,
}

impl Bound {
    /// The address, with the port that the system chose if it was to.
    pub fn local_addr(&self) -> SocketAddr {
        self.local_addr
    }
}

impl HttpConfig<Listen> {
    /// Checks the settings and opens the address. Clients can connect from here on; they are answered once
    /// [`Bound::serve`] runs.
    ///
    /// # Errors
    /// [`Error::Config`] for settings that do not hold together, before anything is opened; [`Error::Io`] from the
    /// system, such as an address in use, with its kind as the system gave it and with the remedy in its text.
    pub async fn bind(mut self) -> Result<Bound, Error> {
        let addresses = self.resolved().await;
        self.problems.extend(self.target.connections.problems());
        let (options, mut settings) = self.checked()?;
        let listener = open(&settings.address, &addresses).await?;
        let local_addr = listener.local_addr()?;
        announce(local_addr, &settings.path, settings.announce);
        if let Some(tell) = settings.on_listening.take() {
            tell(local_addr);
        }
        Ok(Bound { listener, options, settings, local_addr })
    }

    /// The addresses to try. Notes what is wrong with the path, with the address, and with one that is open to other machines.
    async fn resolved(&mut self) -> Vec<SocketAddr> {
        let Listen { address, path, .. } = &self.target;
        if !path.starts_with('/') {
            self.problems.push(format!("path `{path}` must begin with a slash: write `/{path}`"));
        }
        let addresses: Vec<_> = match lookup_host(address).await {
            Ok(addresses) => addresses.collect(),
            Err(error) => {
                self.problems.push(format!("address `{address}`: {error}; write it as in `127.0.0.1:8787`"));
                Vec::new()
            }
        };
        if addresses.iter().all(|address| is_loopback(address.ip())) {
            self.options.set_loopback(true);
        } else if !self.options.hosts.has_policy() {
            self.problems.push(format!(
                "address `{address}` is open to other machines, and nothing says which hosts they may address: name \
                 them with `.public_hosts([\"mcp.example.com\"])`, or say `.behind_proxy()` if a proxy in front checks \
                 Host, or listen on `127.0.0.1`"
            ));
        }
        addresses
    }
}

fn is_loopback(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}
