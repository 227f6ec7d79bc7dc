//! The event stream of a job without a session: the body of its response.
//!
//! The stream is pulled: a client that stops reading stops the job's messages, and nothing is queued for it. A session's streams are in
//! `session_stream.rs`.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use grange_core::{JobEvent, Wire};
use tokio_util::sync::WaitForCancellationFutureOwned;

use crate::keep_alive::KeepAlive;
use crate::sse::event;
use crate::timed_job::DetachableJob;

/// The events of a job, with comments while it has none.
pub(crate) struct JobStream {
    job: DetachableJob,
    frames: VecDeque<Bytes>,
    keep_alive: KeepAlive,
    /// Until the service ends its streams.
    ended: Option<Pin<Box<WaitForCancellationFutureOwned>>>,
}

impl JobStream {
    /// A stream that begins with `first`, if the job has already given a message. Comments are sent every `keep_alive`; `ended` resolves
    /// when the service ends its streams.
    pub(crate) fn new(
        job: DetachableJob,
        first: Option<Wire>,
        keep_alive: Duration,
        ended: WaitForCancellationFutureOwned,
    ) -> Self {
        let frames = first.into_iter().flat_map(event).collect();
        Self { job, frames, keep_alive: KeepAlive::new(keep_alive), ended: Some(Box::pin(ended)) }
    }

    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        loop {
            if let Some(frame) = self.frames.pop_front() {
                self.keep_alive.note_frame();
                return Poll::Ready(Some(frame));
            }
            if let Some(ended) = &mut self.ended
                && ended.as_mut().poll(cx).is_ready()
            {
                self.ended = None;
                self.job.handle_shutdown();
            }
            if self.job.is_over() {
                return Poll::Ready(None);
            }
            match self.job.poll(cx) {
                Poll::Ready(JobEvent::Event(wire) | JobEvent::Done(wire, _)) => self.frames.extend(event(wire)),
                // A stream without a session cannot be resumed.
                Poll::Ready(JobEvent::Cancelled | JobEvent::Suspend) => {}
                Poll::Pending => self.frames.push_back(ready!(self.keep_alive.poll(cx))),
            }
        }
    }
}
