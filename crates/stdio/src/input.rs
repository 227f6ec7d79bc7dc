//! Standard input: a pipe or a socket is watched by the thread that serves, anything else is read ahead by a thread of its own.
//!
//! A read of a file may wait for a disk although `poll(2)` reports it as ready, and not every system can watch a terminal.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, ReadBuf};

use crate::pump;

pub(crate) enum Input {
    Pumped(pump::Input),
    #[cfg(unix)]
    Watched(Watched),
}

/// Read only when a read does not wait.
#[cfg(unix)]
pub(crate) struct Watched {
    source: grange_process::Input,
    is_ready: bool,
    is_wanted: bool,
}

impl Input {
    pub(crate) fn start(source: grange_process::Input) -> io::Result<Self> {
        #[cfg(unix)]
        if source.to_watch().is_some() {
            return Ok(Self::Watched(Watched { source, is_ready: false, is_wanted: false }));
        }
        pump::Input::start(source).map(Self::Pumped)
    }
}

#[cfg(unix)]
impl Input {
    /// The descriptor to watch, while more input is wanted.
    pub(crate) fn to_watch(&self) -> Option<std::os::fd::BorrowedFd<'_>> {
        match self {
            Self::Watched(watched) if watched.is_wanted => watched.source.to_watch(),
            Self::Pumped(_) | Self::Watched(_) => None,
        }
    }

    /// Notes that the next read does not wait.
    pub(crate) fn set_ready(&mut self) {
        if let Self::Watched(watched) = self {
            watched.is_ready = true;
        }
    }
}

#[cfg(unix)]
impl Watched {
    fn read(&mut self, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        self.is_wanted = !std::mem::take(&mut self.is_ready);
        if self.is_wanted {
            return Poll::Pending;
        }
        match self.source.read_now(buffer.initialize_unfilled()) {
            Ok(length) => {
                buffer.advance(length);
                Poll::Ready(Ok(()))
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock) => {
                self.is_wanted = true;
                Poll::Pending
            }
            Err(error) => Poll::Ready(Err(error)),
        }
    }
}

impl AsyncRead for Input {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let polled = match self.get_mut() {
            Self::Pumped(pumped) => Pin::new(pumped).poll_read(cx, buffer),
            #[cfg(unix)]
            Self::Watched(watched) => watched.read(buffer),
        };
        polled.map_err(|error| explained(&error))
    }
}

/// The error keeps its kind, by which the driver recognizes that the host has closed its end.
fn explained(error: &io::Error) -> io::Error {
    let remedy = "start the server as the child process of a host, with a pipe there, or serve HTTP";
    io::Error::new(error.kind(), format!("standard input cannot be read: {error}; {remedy}"))
}
