//! Event streams: the framing, and the stream that a running job writes without a session.
//!
//! Every event with data is named `message`, which it would be without a name too: some clients pass over events that have
//! none. **Outside sessions no ids and no `retry`**: a client that has seen an id will try to resume, and only the streams of a
//! session can be (`sessions/cursor.rs`). The stream here is pulled: a reader that stops reading stops the job's messages, and
//! nothing piles up.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use grange_core::{Said, Wire};
use tokio::time::Sleep;
use tokio_util::sync::WaitForCancellationFutureOwned;

use crate::config::after;
use crate::sessions::event_id::EventId;
use crate::timed_job::Work;

/// Says nothing, and keeps proxies from taking the silence for a dead connection.
const COMMENT: Bytes = Bytes::from_static(b":\n\n");

/// Tells a client that the connection ends and the stream does not, and when to come back for it.
pub(crate) const RETRY: Bytes = Bytes::from_static(b"retry: 1000\n\n");

/// An event without a message, and so without a name: the client may come back after it.
pub(crate) fn priming(id: EventId) -> Bytes {
    format!("id: {id}\nretry: 1000\ndata:\n\n").into()
}

/// One message as an event that the client may come back after.
pub(crate) fn numbered(id: EventId, wire: Wire) -> impl Iterator<Item = Bytes> {
    framed(format!("id: {id}\nevent: message\ndata: ").into(), wire)
}

/// One message as an event.
pub(crate) fn event(wire: Wire) -> impl Iterator<Item = Bytes> {
    framed(Bytes::from_static(b"event: message\ndata: "), wire)
}

/// A message has no raw line feed, so it is one `data` line.
fn framed(before: Bytes, wire: Wire) -> impl Iterator<Item = Bytes> {
    /// Below this many bytes a copy costs less than more frames do.
    const COPIED: usize = 8 * 1024;
    let after = Bytes::from_static(b"\n\n");
    let (copied, parts) = if wire.len() <= COPIED {
        let mut event = Vec::with_capacity(before.len() + wire.len() + after.len());
        std::iter::once(before).chain(wire.into_parts()).chain([after]).for_each(|part| event.extend_from_slice(&part));
        (Some(Bytes::from(event)), None)
    } else {
        (None, Some(std::iter::once(before).chain(wire.into_parts()).chain([after])))
    };
    copied.into_iter().chain(parts.into_iter().flatten())
}

/// The comments on a stream that has nothing to say.
pub(crate) struct Comments {
    every: Duration,
    next: Pin<Box<Sleep>>,
    /// Nothing was sent yet.
    silent: bool,
}

impl Comments {
    pub(crate) fn new(every: Duration) -> Self {
        Self { every, next: Box::pin(tokio::time::sleep(every)), silent: true }
    }

    /// Something was sent.
    pub(crate) fn note_frame(&mut self) {
        self.silent = false;
    }

    /// The next comment. The first goes out at once if nothing else does: until then a proxy has nothing to pass on, not even
    /// the head.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Bytes> {
        if !self.silent {
            std::task::ready!(self.next.as_mut().poll(cx));
            self.next.as_mut().reset(after(self.every));
        }
        Poll::Ready(COMMENT)
    }
}

/// The body of an event stream: what a job says, comments while it says nothing.
pub(crate) struct Stream {
    work: Work,
    frames: VecDeque<Bytes>,
    comments: Comments,
    /// Until the service ends its streams.
    ended: Option<Pin<Box<WaitForCancellationFutureOwned>>>,
}

impl Stream {
    /// A stream that begins with `first`, if the job has said something already.
    pub(crate) fn new(work: Work, first: Option<Wire>) -> Self {
        let shared = work.shared();
        let comments = Comments::new(shared.options.keep_alive);
        let ended = Some(Box::pin(shared.places.ended()));
        Self { work, frames: first.into_iter().flat_map(event).collect(), comments, ended }
    }

    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        loop {
            if let Some(frame) = self.frames.pop_front() {
                self.comments.note_frame();
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
                Poll::Pending => self.frames.push_back(std::task::ready!(self.comments.poll(cx))),
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
