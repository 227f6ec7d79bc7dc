//! The bytes of one connection, **whose client can be watched while nothing is read**.
//!
//! hyper reads nothing while an answer is awaited, and must not: what comes then belongs to the next request. So the end of the input is
//! known from the readiness of the socket, which the system reports behind unread bytes too. A client that sends more than the system
//! keeps for the socket hides its own end: that does not arrive either.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};

use super::byte_stream::ByteStream;
use crate::client_watch::Gone;

/// A connection that was accepted.
pub(crate) struct WatchedStream {
    watch: Option<Watch>,
    /// Shared with the watch alone.
    stream: Arc<ByteStream>,
}

/// Ready when the client is gone.
struct Watch {
    gone: Gone,
    waiting: Pin<Box<dyn Future<Output = ()> + Send + Sync>>,
}

impl WatchedStream {
    pub(crate) fn new(stream: ByteStream) -> Self {
        Self { watch: None, stream: Arc::new(stream) }
    }

    pub(crate) fn get_ref(&self) -> &ByteStream {
        &self.stream
    }

    /// Ready when the client is gone. Made anew after each read or write.
    pub(crate) fn poll_gone(&mut self, gone: Gone, cx: &mut Context<'_>) -> Poll<()> {
        if self.watch.as_ref().is_none_or(|watch| watch.gone != gone) {
            let stream = self.stream.clone();
            self.watch = Some(Watch { gone, waiting: Box::pin(async move { wait(&stream, gone).await }) });
        }
        self.watch.as_mut().map_or(Poll::Pending, |watch| watch.waiting.as_mut().poll(cx))
    }

    /// The stream, for reading and writing.
    fn own(&mut self) -> &mut ByteStream {
        self.watch = None;
        Arc::get_mut(&mut self.stream).expect("only the watch shares it")
    }
}

async fn wait(stream: &ByteStream, gone: Gone) {
    match gone {
        Gone::Unwatched => std::future::pending().await,
        Gone::AtReset => stream.ready(Interest::ERROR).await.map_or((), |_| ()),
        Gone::AtEndOfInput => end_of_input(stream).await,
    }
}

/// No priority data is ever asked for, so that only the end of the input makes this ready.
#[cfg(any(target_os = "linux", target_os = "android"))]
async fn end_of_input(stream: &ByteStream) {
    let _ = stream.ready(Interest::PRIORITY).await;
}

/// Unread bytes make the socket ready as well. It is looked at again after a while.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
async fn end_of_input(stream: &ByteStream) {
    while stream.ready(Interest::READABLE).await.is_ok_and(|ready| !ready.is_read_closed()) {
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    }
}

impl AsyncRead for WatchedStream {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(self.get_mut().own()).poll_read(cx, buf)
    }
}

impl AsyncWrite for WatchedStream {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(self.get_mut().own()).poll_write(cx, buf)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(self.get_mut().own()).poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(self.get_mut().own()).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(self.get_mut().own()).poll_shutdown(cx)
    }
}
