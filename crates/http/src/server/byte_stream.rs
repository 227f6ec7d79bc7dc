//! The bytes of one connection: over TCP, or through a Unix socket.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf, Ready};
use tokio::net::TcpStream;
#[cfg(unix)]
use tokio::net::UnixStream;

/// Of what is written, what may wait in the system before it is first sent. With less, a large answer to a fast client takes more writes;
/// with more, a slow client needs longer for what the system has taken than a write may wait.
#[cfg(any(target_os = "linux", target_os = "android"))]
const UNSENT: u32 = 512 * 1024;

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
    /// **The system keeps few bytes that it has not sent.** Linux would keep megabytes, and say that the socket takes more only when a third
    /// of them is sent: for a slow client that takes longer than any time for a write, though it reads all the time.
    pub(crate) fn tune(&self) {
        if let Self::Tcp(stream) = self {
            let _ = stream.set_nodelay(true);
            #[cfg(any(target_os = "linux", target_os = "android"))]
            let _ = socket2::SockRef::from(stream).set_tcp_notsent_lowat(UNSENT);
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
