//! The bytes of one connection: over TCP, or through a Unix socket.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf, Ready};
use tokio::net::TcpStream;
#[cfg(unix)]
use tokio::net::UnixStream;

/// How fast a client reads.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum ClientSpeed {
    Slow,
    Fast,
}

impl ClientSpeed {
    /// How many bytes may wait in the system before they are first sent.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn unsent(self) -> u32 {
        match self {
            Self::Slow => 128 * 1024,
            // A large answer takes few writes.
            Self::Fast => 512 * 1024,
        }
    }
}

/// A connection that was accepted.
pub(crate) enum ByteStream {
    Tcp(TcpStream),
    #[cfg(unix)]
    Unix(UnixStream),
}

/// The same expression for the stream, of whichever kind it is.
macro_rules! each {
    ($this:expr, $stream:ident => $call:expr) => {
        match $this {
            ByteStream::Tcp($stream) => $call,
            #[cfg(unix)]
            ByteStream::Unix($stream) => $call,
        }
    };
}

impl ByteStream {
    /// Responses are sent at once, and not held back until more is to be sent. A socket that cannot do that still works, and a Unix
    /// socket never waits.
    ///
    /// A client counts as slow at first.
    pub(crate) fn tune(&self) {
        if let Self::Tcp(stream) = self {
            let _ = stream.set_nodelay(true);
        }
        self.set_speed(ClientSpeed::Slow);
    }

    /// **For a slow client the system keeps few bytes that it has not sent.** Linux would keep megabytes, and report that the socket accepts
    /// more only when a third of them is sent: for a slow client that takes longer than a write may wait, although it reads all the time.
    #[cfg_attr(not(any(target_os = "linux", target_os = "android")), expect(unused_variables, clippy::unused_self))]
    pub(crate) fn set_speed(&self, speed: ClientSpeed) {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        if let Self::Tcp(stream) = self {
            let _ = socket2::SockRef::from(stream).set_tcp_notsent_lowat(speed.unsent());
        }
    }

    /// Waits until [`try_read`](Self::try_read) may have something.
    pub(crate) async fn readable(&self) -> io::Result<()> {
        each!(self, stream => stream.readable().await)
    }

    /// Waits for one of these, and returns what there is of them.
    pub(crate) async fn ready(&self, interest: Interest) -> io::Result<Ready> {
        each!(self, stream => stream.ready(interest).await)
    }

    pub(crate) fn poll_read_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        each!(self, stream => stream.poll_read_ready(cx))
    }

    /// Reads what is there; [`io::ErrorKind::WouldBlock`] if nothing is.
    pub(crate) fn try_read(&self, buf: &mut [u8]) -> io::Result<usize> {
        each!(self, stream => stream.try_read(buf))
    }
}

impl AsyncRead for ByteStream {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        each!(self.get_mut(), stream => Pin::new(stream).poll_read(cx, buf))
    }
}

impl AsyncWrite for ByteStream {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        each!(self.get_mut(), stream => Pin::new(stream).poll_write(cx, buf))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        each!(self.get_mut(), stream => Pin::new(stream).poll_write_vectored(cx, bufs))
    }

    fn is_write_vectored(&self) -> bool {
        each!(self, stream => stream.is_write_vectored())
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        each!(self.get_mut(), stream => Pin::new(stream).poll_flush(cx))
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        each!(self.get_mut(), stream => Pin::new(stream).poll_shutdown(cx))
    }
}
