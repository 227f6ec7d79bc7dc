//! Work that outlives the call that accepted it: **the one place where author code is polled and panics are caught**.
//!
//! A driver polls a job until it is done. Dropping one cancels it: the reader's token fires, its future is dropped,
//! nothing more is said and nobody is told. Time is the driver's: it calls [`Job::expire`] when [`Job::time_limit`] is
//! over.

mod batch;
mod listen;
mod read;

use std::fmt;
use std::task::{Context as TaskContext, Poll, Waker};
use std::time::Duration;

use self::batch::Batch;
use self::listen::Listen;
use self::read::Read;
use crate::define::Context;
use crate::era::{Era, Refusal};
use crate::rpc::{RequestId, Wire};
use crate::server::{Accepted, Server};

/// A request that is being worked on.
#[must_use = "a dropped job is a cancelled one"]
pub struct Job(Kind);

enum Kind {
    Batch(Batch),
    Listen(Listen),
    Read(Box<Read>),
}

/// What a job says.
#[derive(Debug)]
pub enum Said {
    /// A message before the last one: the driver must have, or now open, a stream.
    Event(Wire),
    /// The last message, and how a transport with statuses should rate it. Not to be polled again.
    Done(Wire, Refusal),
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
        Self(Kind::Read(Box::new(Read::new(server, era, id, index, context, pipe))))
    }

    pub(crate) fn listen(server: Server, era: &'static Era, id: RequestId) -> Self {
        Self(Kind::Listen(Listen::new(server, era, id)))
    }

    /// Several answers in one array.
    pub(crate) fn batch(members: Vec<Accepted>) -> Self {
        Self(Kind::Batch(Batch::new(members)))
    }

    /// Polls the work. What was said before the last message comes out first.
    #[must_use = "what a job says must be sent"]
    pub fn poll(&mut self, cx: &mut TaskContext<'_>) -> Poll<Said> {
        match &mut self.0 {
            Kind::Batch(batch) => batch.poll(cx),
            Kind::Listen(listen) => listen.poll(cx),
            Kind::Read(read) => read.poll(cx),
        }
    }

    /// Polls to see whether the work is done already, without a task to wake.
    pub fn poll_now(&mut self) -> Poll<Said> {
        self.poll(&mut TaskContext::from_waker(Waker::noop()))
    }

    /// How long the job may take; `None` for a stream that is meant to be held.
    pub fn time_limit(&self) -> Option<Duration> {
        match &self.0 {
            Kind::Batch(batch) => batch.time_limit(),
            Kind::Listen(_) => None,
            Kind::Read(read) => Some(read.time_limit()),
        }
    }

    /// The time is over: cancels what still runs. The next poll says so to the client.
    pub fn expire(&mut self) {
        match &mut self.0 {
            Kind::Batch(batch) => batch.expire(),
            Kind::Listen(_) => {}
            Kind::Read(read) => read.expire(),
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
            Kind::Listen(_) => true,
            Kind::Read(read) => read.is_cancelled_by_disconnect(),
        }
    }
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Kind::Batch(_) => "Job(batch)",
            Kind::Listen(_) => "Job(listen)",
            Kind::Read(_) => "Job(read)",
        })
    }
}
