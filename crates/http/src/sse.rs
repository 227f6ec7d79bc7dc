//! Event streams: the framing, and the stream that a running job writes.
//!
//! **No event names, no ids, no `retry`**: a client that has seen an id will try to resume, and nothing here can be
//! resumed. The stream is pulled: a reader that stops reading stops the job's messages, and nothing piles up.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use grange_core::{Said, Wire};
use tokio::time::{Instant, Sleep};
use tokio_util::sync::WaitForCancellationFutureOwned;

use crate::work::Work;

/// Says nothing, and keeps proxies from taking the silence for a dead connection.
const COMMENT: Bytes = Bytes::from_static(b":\n\n");

/// One message as an event. A message has no raw line feed, so it is one `data` line.
pub(crate) fn event(wire: Wire) -> impl Iterator<Item = Bytes> {
    /// Below this many bytes a copy costs less than more frames do.
    const COPIED: usize = 8 * 1024;
    let (before, after) = (Bytes::from_static(b"data: "), Bytes::from_static(b"\n\n"));
    let (copied, parts) = if wire.len() <= COPIED {
        let mut event = Vec::with_capacity(before.len() + wire.len() + after.len());
        std::iter::once(before).chain(wire.into_parts()).chain([after]).for_each(|part| event.extend_from_slice(&part));
        (Some(Bytes::from(event)), None)
    } else {
        (None, Some(std::iter::once(before).chain(wire.into_parts()).chain([after])))
    };
    copied.into_iter().chain(parts.into_iter().flatten())
}

/// The body of an event stream: what a job says, comments while it says nothing.
pub(crate) struct Stream {
    work: Work,
    frames: VecDeque<Bytes>,
    every: Duration,
    next_comment: Pin<Box<Sleep>>,
    /// Until the service ends its streams.
    ended: Option<Pin<Box<WaitForCancellationFutureOwned>>>,
    silent: bool,
}

impl Stream {
    /// A stream that begins with `first`, if the job has said something already.
    pub(crate) fn new(work: Work, first: Option<Wire>) -> Self {
        let shared = work.shared();
        let every = shared.options.keep_alive;
        let ended = Some(Box::pin(shared.places.ended()));
        let frames: VecDeque<_> = first.into_iter().flat_map(event).collect();
        let silent = frames.is_empty();
        Self { work, frames, every, next_comment: Box::pin(tokio::time::sleep(every)), ended, silent }
    }

    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        loop {
            if let Some(frame) = self.frames.pop_front() {
                self.silent = false;
                return Poll::Ready(Some(frame));
            }
            if let Some(ended) = &mut self.ended
                && ended.as_mut().poll(cx).is_ready()
            {
                self.ended = None;
                self.work.end();
            }
            if self.work.is_over() {
                return Poll::Ready(None);
            }
            match self.work.poll(cx) {
                Poll::Ready(Said::Event(wire) | Said::Done(wire, _)) => self.frames.extend(event(wire)),
                // Nobody can come back to a stream without a session.
                Poll::Ready(Said::Cancelled | Said::Suspend) => {}
                // The first bytes go out at once: until then a proxy has nothing to pass on, not even the head.
                Poll::Pending if self.silent => self.frames.push_back(COMMENT),
                Poll::Pending if self.next_comment.as_mut().poll(cx).is_ready() => {
                    self.next_comment.as_mut().reset(Instant::now() + self.every);
                    self.frames.push_back(COMMENT);
                }
                Poll::Pending => return Poll::Pending,
            }
        }
    }
}

impl From<Work> for Stream {
    /// A stream whose first message is still the job's to say.
    fn from(work: Work) -> Self {
        Self::new(work, None)
    }
}
