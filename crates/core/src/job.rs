//! Work that outlives the call that accepted it: **the one place where author code is polled and panics are caught**.
//!
//! A driver polls a job until it is done. Dropping one cancels it: the reader's token fires, its future is dropped,
//! nothing more is said and nobody is told. Time is the driver's: after a poll that was `Pending` it asks [`Job::due`] when
//! the job is to be told the time, and calls [`Job::expire`] then.

mod batch;
mod listen;
mod read;
mod run;
mod tool;

use std::any::Any;
use std::fmt;
use std::sync::{Arc, Weak};
use std::task::{Context as TaskContext, Poll, Waker};
use std::time::Instant;

use bytes::Bytes;

use self::batch::Batch;
use self::listen::Listen;
use self::read::Read;
use self::run::{Run, Running};
use self::tool::Call;
use crate::conversation::Cancel;
use crate::define::{Context, Tool};
use crate::era::{Era, Refusal};
use crate::rpc::{RequestId, Wire};
use crate::server::{Accepted, Server};
use crate::watch::Watch;

/// A request that is being worked on.
#[must_use = "a dropped job is a cancelled one"]
pub struct Job(Kind);

enum Kind {
    Batch(Batch),
    Call(Box<Run<Call>>),
    Listen(Listen),
    Read(Box<Run<Read>>),
}

/// Cancels one job from anywhere, also while it is being polled: see [`Job::canceller`].
#[derive(Clone)]
pub struct Canceller(Weak<dyn Cancel>);

/// What a job says.
#[derive(Debug)]
pub enum Said {
    /// A message before the last one: the driver must have, or now open, a stream.
    Event(Wire),
    /// The client cancelled the request, in its session: nothing more is said. Not to be polled again.
    Cancelled,
    /// The last message, and how a transport with statuses should rate it. Not to be polled again.
    Done(Wire, Refusal),
    /// The connection may close here: the client comes back for the rest. A driver that cannot do that goes on.
    Suspend,
}

impl Job {
    pub(crate) fn read(
        server: Server,
        era: &'static Era,
        id: RequestId,
        index: usize,
        context: Context,
        pipe: bool,
    ) -> Self {
        let running = Running { server, era, id, context, pipe, watch: Watch::none() };
        Self(Kind::Read(Box::new(Run::new(running, Read(index)))))
    }

    pub(crate) fn call(
        server: Server,
        era: &'static Era,
        id: RequestId,
        tool: Tool,
        arguments: Bytes,
        context: Context,
        pipe: bool,
    ) -> Self {
        let running = Running { server, era, id, context, pipe, watch: Watch::none() };
        Self(Kind::Call(Box::new(Run::new(running, Call { tool, arguments }))))
    }

    pub(crate) fn listen(server: Server, era: &'static Era, id: RequestId) -> Self {
        Self(Kind::Listen(Listen::new(server, era, id)))
    }

    /// Several answers in one array.
    pub(crate) fn batch(members: Vec<Accepted>) -> Self {
        Self(Kind::Batch(Batch::new(members)))
    }

    /// Has the work, and what comes of it, watched. The members of a batch are, each by itself.
    pub(crate) fn watch(&mut self, watch: Watch) {
        match &mut self.0 {
            Kind::Batch(_) => {}
            Kind::Call(call) => call.watch(watch),
            Kind::Listen(listen) => listen.watch(watch),
            Kind::Read(read) => read.watch(watch),
        }
    }

    /// Says what readers and tools may ask of the exchange, such as the request's head; before the first poll.
    pub fn set_peer(&self, peer: Arc<dyn Any + Send + Sync>) {
        match &self.0 {
            Kind::Batch(batch) => batch.set_peer(&peer),
            Kind::Call(call) => call.set_peer(peer),
            Kind::Listen(_) => {}
            Kind::Read(read) => read.set_peer(peer),
        }
    }

    /// Polls the work. What was said before the last message comes out first.
    #[must_use = "what a job says must be sent"]
    pub fn poll(&mut self, cx: &mut TaskContext<'_>) -> Poll<Said> {
        match &mut self.0 {
            Kind::Batch(batch) => batch.poll(cx),
            Kind::Call(call) => call.poll(cx),
            Kind::Listen(listen) => listen.poll(cx),
            Kind::Read(read) => read.poll(cx),
        }
    }

    /// Polls to see whether the work is done already, without a task to wake.
    pub fn poll_now(&mut self) -> Poll<Said> {
        self.poll(&mut TaskContext::from_waker(Waker::noop()))
    }

    /// When the job is next to be told the time: the request has had its own, or something waits in it. What began since
    /// the last call begins to count now. `None` for a stream that is meant to be held.
    pub fn due(&mut self, now: Instant) -> Option<Instant> {
        match &mut self.0 {
            Kind::Batch(batch) => batch.due(now),
            Kind::Call(call) => call.due(now),
            Kind::Listen(_) => None,
            Kind::Read(read) => read.due(now),
        }
    }

    /// Tells the time: ends the waiting that is over, and cancels a request that has had its time. The job is to be polled
    /// after.
    pub fn expire(&mut self, now: Instant) {
        match &mut self.0 {
            Kind::Batch(batch) => batch.expire(now),
            Kind::Call(call) => call.expire(now),
            Kind::Listen(_) => {}
            Kind::Read(read) => read.expire(now),
        }
    }

    /// Whether nobody waits for it any more: its next poll says so.
    pub fn is_cancelled(&self) -> bool {
        match &self.0 {
            Kind::Batch(_) | Kind::Listen(_) => false,
            Kind::Call(call) => call.is_cancelled(),
            Kind::Read(read) => read.is_cancelled(),
        }
    }

    /// Cancels it from another thread than the one that polls it, so that author code which blocks sees its token fire. `None`
    /// for a job without author code, and for a batch, whose members nobody cancels.
    pub fn canceller(&self) -> Option<Canceller> {
        match &self.0 {
            Kind::Batch(_) | Kind::Listen(_) => None,
            Kind::Call(call) => Some(Canceller(call.canceller())),
            Kind::Read(read) => Some(Canceller(read.canceller())),
        }
    }

    /// Whether it waits for the client's answer to a request of ours.
    pub fn is_asking(&self) -> bool {
        match &self.0 {
            Kind::Batch(batch) => batch.is_asking(),
            Kind::Call(call) => call.is_asking(),
            Kind::Listen(_) => false,
            Kind::Read(read) => read.is_asking(),
        }
    }

    /// The stream is lost on which the client would have got our requests: they will not be answered.
    pub fn disconnect(&mut self) {
        match &mut self.0 {
            Kind::Batch(batch) => batch.disconnect(),
            Kind::Call(call) => call.disconnect(),
            Kind::Listen(_) => {}
            Kind::Read(read) => read.disconnect(),
        }
    }

    /// The server shuts down: a held stream ends with its result. Other work goes on to its answer.
    pub fn end(&mut self) {
        if let Kind::Listen(listen) = &mut self.0 {
            listen.end();
        }
    }

    /// Whether only an event stream can carry the answer.
    pub fn needs_stream(&self) -> bool {
        matches!(self.0, Kind::Listen(_))
    }

    /// Over HTTP, whether the end of the connection cancels the job. Otherwise it runs on and its answer is discarded.
    pub fn is_cancelled_by_disconnect(&self) -> bool {
        match &self.0 {
            Kind::Batch(_) => false,
            Kind::Call(call) => call.is_cancelled_by_disconnect(),
            Kind::Listen(_) => true,
            Kind::Read(read) => read.is_cancelled_by_disconnect(),
        }
    }
}

impl Canceller {
    /// Fires the job's token. Its next poll says [`Said::Cancelled`]; a driver that drops it instead need not poll.
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
        f.write_str(match self.0 {
            Kind::Batch(_) => "Job(batch)",
            Kind::Call(_) => "Job(call)",
            Kind::Listen(_) => "Job(listen)",
            Kind::Read(_) => "Job(read)",
        })
    }
}
