//! The comments on an event stream while it has no event, so that proxies do not take it for dead.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use tokio::time::Sleep;

use crate::deadline::after;
use crate::sse;

/// The comments of one stream.
pub(crate) struct KeepAlive {
    every: Duration,
    next: Pin<Box<Sleep>>,
    /// Nothing was sent yet.
    silent: bool,
}

impl KeepAlive {
    pub(crate) fn new(every: Duration) -> Self {
        Self { every, next: Box::pin(tokio::time::sleep(every)), silent: true }
    }

    /// Something was sent.
    pub(crate) fn note_frame(&mut self) {
        self.silent = false;
    }

    /// The next comment. The first is due at once if nothing was sent before: some proxies do not pass on even the head of a response
    /// before the first bytes of its body.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Bytes> {
        if !self.silent {
            ready!(self.next.as_mut().poll(cx));
            self.next.as_mut().reset(after(self.every));
        }
        Poll::Ready(sse::COMMENT)
    }
}
