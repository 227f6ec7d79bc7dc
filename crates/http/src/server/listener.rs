//! Listeners: one that the author bound and hands over, and one that the server accepts connections from. Over TCP, or on a Unix
//! socket.

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener as StdTcpListener};
#[cfg(unix)]
use std::os::unix::net::UnixListener as StdUnixListener;
#[cfg(unix)]
use std::path::PathBuf;
use std::task::{Context, Poll, ready};

use tokio::net::TcpListener;
#[cfg(unix)]
use tokio::net::UnixListener;

use super::byte_stream::ByteStream;

/// A listener that is already bound, for [`serve`](crate::serve()): made from a `TcpListener` or, on Unix, a `UnixListener`, of tokio
/// or of the standard library.
#[derive(Debug)]
pub struct Listener(Kind);

#[derive(Debug)]
enum Kind {
    Open(OpenListener),
    StdTcp(StdTcpListener),
    #[cfg(unix)]
    StdUnix(StdUnixListener),
}

/// A listener of the runtime.
#[derive(Debug)]
pub(crate) enum OpenListener {
    Tcp(TcpListener),
    #[cfg(unix)]
    Unix(UnixListener),
}

/// Where a server listens.
#[derive(Debug)]
pub(crate) enum BoundAddress {
    Tcp(SocketAddr),
    /// The file of the socket; `None` if it has none.
    #[cfg(unix)]
    Unix(Option<PathBuf>),
}

impl Listener {
    pub(crate) fn address(&self) -> io::Result<BoundAddress> {
        match &self.0 {
            Kind::Open(listener) => listener.address(),
            Kind::StdTcp(listener) => listener.local_addr().map(BoundAddress::Tcp),
            #[cfg(unix)]
            Kind::StdUnix(listener) => {
                listener.local_addr().map(|address| BoundAddress::Unix(address.as_pathname().map(Into::into)))
            }
        }
    }

    /// Registers it with the runtime, if it is not yet.
    pub(crate) fn open(self) -> io::Result<OpenListener> {
        match self.0 {
            Kind::Open(listener) => Ok(listener),
            Kind::StdTcp(listener) => {
                listener.set_nonblocking(true)?;
                TcpListener::from_std(listener).map(OpenListener::Tcp)
            }
            #[cfg(unix)]
            Kind::StdUnix(listener) => {
                listener.set_nonblocking(true)?;
                UnixListener::from_std(listener).map(OpenListener::Unix)
            }
        }
    }
}

impl OpenListener {
    pub(crate) fn address(&self) -> io::Result<BoundAddress> {
        match self {
            Self::Tcp(listener) => listener.local_addr().map(BoundAddress::Tcp),
            #[cfg(unix)]
            Self::Unix(listener) => {
                listener.local_addr().map(|address| BoundAddress::Unix(address.as_pathname().map(Into::into)))
            }
        }
    }

    /// The next connection, with the address of its other end; a Unix socket shows none.
    pub(crate) fn poll_accept(&self, cx: &mut Context<'_>) -> Poll<io::Result<(ByteStream, Option<IpAddr>)>> {
        Poll::Ready(match self {
            Self::Tcp(listener) => {
                ready!(listener.poll_accept(cx)).map(|(stream, peer)| (ByteStream::Tcp(stream), Some(peer.ip())))
            }
            #[cfg(unix)]
            Self::Unix(listener) => {
                ready!(listener.poll_accept(cx)).map(|(stream, _)| (ByteStream::Unix(stream), None))
            }
        })
    }
}

impl BoundAddress {
    /// The address; a Unix socket has none.
    pub(crate) fn address(&self) -> Option<SocketAddr> {
        match self {
            Self::Tcp(address) => Some(*address),
            #[cfg(unix)]
            Self::Unix(_) => None,
        }
    }
}

impl From<TcpListener> for Listener {
    fn from(listener: TcpListener) -> Self {
        Self(Kind::Open(OpenListener::Tcp(listener)))
    }
}

impl From<StdTcpListener> for Listener {
    fn from(listener: StdTcpListener) -> Self {
        Self(Kind::StdTcp(listener))
    }
}

#[cfg(unix)]
impl From<UnixListener> for Listener {
    fn from(listener: UnixListener) -> Self {
        Self(Kind::Open(OpenListener::Unix(listener)))
    }
}

#[cfg(unix)]
impl From<StdUnixListener> for Listener {
    fn from(listener: StdUnixListener) -> Self {
        Self(Kind::StdUnix(listener))
    }
}
