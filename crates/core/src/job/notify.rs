//! The notifications of changes on a pipe with a handshake: a held job that starts once the client is initialized, and ends without a
//! message. On newer pipes, and over HTTP, a client asks for a stream (`listen.rs`).

use std::sync::Arc;
use std::task::{Context as TaskContext, Poll, Waker};
use std::time::Instant;

use super::event::JobEvent;
use super::work::Work;
use crate::changes::Listener;
use crate::era;
use crate::rpc::Wire;

/// A subscription whose changes may be sent once its answer was.
pub(crate) struct Activation {
    pub(crate) listener: Arc<Listener>,
    pub(crate) uri: Arc<str>,
}

impl Activation {
    /// The answer was sent.
    pub(crate) fn activate(&self) {
        self.listener.activate(&self.uri);
    }
}

/// Sends the notifications of one listener.
pub(super) struct Notify {
    listener: Arc<Listener>,
    /// The pipe takes no more requests.
    is_ending: bool,
    waker: Option<Waker>,
}

impl Notify {
    pub(super) fn new(listener: Arc<Listener>) -> Self {
        Self { listener, is_ending: false, waker: None }
    }
}

impl Work for Notify {
    fn name(&self) -> &'static str {
        "notify"
    }

    fn needs_stream(&self) -> bool {
        true
    }

    fn poll_timeout(&mut self, now: Instant) -> Option<Instant> {
        self.listener.poll_timeout(now)
    }

    fn handle_timeout(&mut self, now: Instant) {
        self.listener.handle_timeout(now);
    }

    fn handle_shutdown(&mut self) {
        self.is_ending = true;
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }

    fn poll(&mut self, cx: &mut TaskContext<'_>) -> Poll<JobEvent> {
        let notice = if self.is_ending { self.listener.take_last() } else { self.listener.poll(cx.waker()) };
        match notice {
            Some(notice) => Poll::Ready(JobEvent::Event(Wire::one(era::change(&notice, None)))),
            None if self.is_ending => Poll::Ready(JobEvent::Cancelled),
            None => {
                self.waker = Some(cx.waker().clone());
                Poll::Pending
            }
        }
    }
}
