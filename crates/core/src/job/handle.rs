//! Work that outlives the call that accepted it: **the one place where author code is polled and panics are caught**.
//!
//! A driver polls a job until it is done. Dropping one cancels it: the reader's token fires, its future is dropped,
//! nothing more is said and nobody is told. Time is the driver's: after a poll that was `Pending` it asks [`Job::due`] when
//! the job is to be told the time, and calls [`Job::expire`] then.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, Weak};
use std::task::{Context as TaskContext, Poll, Waker};
use std::time::Instant;

use super::event::JobEvent;
use super::work::Work;
use crate::session::Cancel;
use crate::telemetry::RequestSpan;

/// A request that is being worked on.
#[must_use = "a dropped job is a cancelled one"]
pub struct Job(Box<dyn Work>);

/// Cancels one job from anywhere, also while it is being polled: see [`Job::canceller`].
#[derive(Clone)]
pub struct Canceller(Weak<dyn Cancel>);

impl Job {
    pub(super) fn new(work: impl Work + 'static) -> Self {
        Self(Box::new(work))
    }

    /// Has the work, and what comes of it, watched. The members of a batch are, each by itself.
    pub(crate) fn set_span(&mut self, span: RequestSpan) {
        self.0.set_span(span);
    }

    /// Says what readers and tools may ask of the exchange, such as the request's head; before the first poll.
    pub fn set_peer(&self, peer: Arc<dyn Any + Send + Sync>) {
        self.0.set_peer(peer);
    }

    /// Polls the work. What was said before the last message comes out first.
    #[must_use = "what a job says must be sent"]
    pub fn poll(&mut self, cx: &mut TaskContext<'_>) -> Poll<JobEvent> {
        self.0.poll(cx)
    }

    /// Polls to see whether the work is done already, without a task to wake.
    pub fn poll_now(&mut self) -> Poll<JobEvent> {
        self.poll(&mut TaskContext::from_waker(Waker::noop()))
    }

    /// When the job is next to be told the time: the request has had its own, or something waits in it. What began since
    /// the last call begins to count now. `None` for a stream that is meant to be held.
    pub fn due(&mut self, now: Instant) -> Option<Instant> {
        self.0.due(now)
    }

    /// Tells the time: ends the waiting that is over, and cancels a request that has had its time. The job is to be polled
    /// after.
    pub fn expire(&mut self, now: Instant) {
        self.0.expire(now);
    }

    /// Whether its request was cancelled, or its client is gone. The next poll returns [`JobEvent::Cancelled`].
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    /// Cancels it from another thread than the one that polls it, so that author code which blocks sees its token fire. `None`
    /// for a job without author code, and for a batch, whose members nobody cancels.
    pub fn canceller(&self) -> Option<Canceller> {
        self.0.canceller().map(Canceller)
    }

    /// Whether it waits for the client's answer to a request of ours.
    pub fn is_asking(&self) -> bool {
        self.0.is_asking()
    }

    /// The stream is lost on which the client would have got our requests: they will not be answered.
    pub fn disconnect(&mut self) {
        self.0.disconnect();
    }

    /// The server shuts down: a held stream ends with its result. Other work goes on to its answer.
    pub fn end(&mut self) {
        self.0.end();
    }

    /// Whether only an event stream can carry the answer.
    pub fn needs_stream(&self) -> bool {
        self.0.needs_stream()
    }

    /// Over HTTP, whether the end of the connection cancels the job. Otherwise it runs on and its answer is discarded.
    pub fn is_cancelled_by_disconnect(&self) -> bool {
        self.0.is_cancelled_by_disconnect()
    }
}

impl Canceller {
    /// Fires the job's token. Its next poll says [`JobEvent::Cancelled`]; a driver that drops it instead need not poll.
    pub fn cancel(&self) {
        if let Some(work) = self.0.upgrade() {
            work.cancel();
        }
    }
}

impl fmt::Debug for Canceller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Canceller")
    }
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Job({})", self.0.name())
    }
}
