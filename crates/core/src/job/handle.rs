//! The job, as a driver sees it: **author code is polled only through it**.
//!
//! Not here: the kinds of work behind it (`run.rs`, `batch.rs`, `listen.rs`), and the caught panics (`run.rs`).

use std::any::Any;
use std::fmt;
use std::sync::{Arc, Weak};
use std::task::{Context as TaskContext, Poll, Waker};
use std::time::Instant;

use super::event::JobEvent;
use super::notify::{Activation, Notify};
use super::work::Work;
use crate::budget::Charge;
use crate::changes::Listener;
use crate::permits::Permits;
use crate::session::Cancel;
use crate::telemetry::RequestSpan;

/// The work for a request that is not answered at once.
///
/// The driver owns the job, the clock and the spawned tasks. Its calls are of four kinds:
///
/// 1. **Before the first poll:** [`set_peer`](Self::set_peer) gives readers and tools access to the transport's request,
///    and [`set_permits`](Self::set_permits) limits how many members of a batch run at once, and how many bytes of answers wait;
///    [`canceller`](Self::canceller) returns a handle that cancels the job from another thread.
/// 2. **Until the last event:** [`poll`](Self::poll). After each `Pending`, [`poll_timeout`](Self::poll_timeout) returns the time at which the driver
///    must call [`handle_timeout`](Self::handle_timeout) and then poll again.
/// 3. **When something happens:** [`handle_disconnect`](Self::handle_disconnect) if the stream is lost, [`handle_shutdown`](Self::handle_shutdown) if the server shuts down.
///    Poll after them.
/// 4. **At any time:** [`needs_stream`](Self::needs_stream), [`is_waiting_for_client`](Self::is_waiting_for_client), [`is_cancelled`](Self::is_cancelled),
///    [`unsent_bytes`](Self::unsent_bytes)
///    and [`is_cancelled_by_disconnect`](Self::is_cancelled_by_disconnect) read the state.
///
/// Dropping a job cancels it: the cancellation token of author code fires, its future is dropped, and no answer is sent.
///
/// ```
/// use std::task::{Context, Poll};
/// use std::time::Instant;
///
/// use grange_core::{Job, JobEvent};
///
/// fn poll_job(job: &mut Job, cx: &mut Context<'_>, now: Instant) -> Poll<JobEvent> {
///     loop {
///         if let Poll::Ready(event) = job.poll(cx) {
///             return Poll::Ready(event);
///         }
///         match job.poll_timeout(now) {
///             Some(due) if due <= now => job.handle_timeout(now),
///             // A driver also wakes its task at the time that is due.
///             _ => return Poll::Pending,
///         }
///     }
/// }
/// ```
#[must_use = "a dropped job is a cancelled one"]
pub struct Job {
    work: Box<dyn Work>,
    /// What it holds of the budget of its connection.
    charge: Option<Charge>,
    activation: Option<Activation>,
}

/// Cancels one job from any thread, also while it is being polled; see [`Job::canceller`].
#[derive(Clone)]
pub struct Canceller(Weak<dyn Cancel>);

impl Job {
    pub(super) fn new(work: impl Work + 'static) -> Self {
        Self { work: Box::new(work), charge: None, activation: None }
    }

    /// A job that sends the notifications of this listener.
    pub(crate) fn notify(listener: Arc<Listener>) -> Self {
        Self::new(Notify::new(listener))
    }

    /// Sets what follows once the answer was sent.
    pub(crate) fn with_activation(self, activation: Option<Activation>) -> Self {
        Self { activation, ..self }
    }

    /// Takes what the driver of a pipe does once the answer was sent.
    pub(crate) fn take_activation(&mut self) -> Option<Activation> {
        self.activation.take()
    }

    /// Counts what the work keeps of its message, until the job is dropped.
    pub(crate) fn set_charge(&mut self, charge: Charge) {
        self.charge = Some(charge);
    }

    /// Sets the span that records the work and its outcome. In a batch, each member has its own.
    pub(crate) fn set_span(&mut self, span: RequestSpan) {
        self.work.set_span(span);
    }

    /// Sets the value that readers and tools get with [`Context::peer`](crate::Context::peer), such as the head of the HTTP
    /// request. Call it before the first poll.
    pub fn set_peer(&mut self, peer: Arc<dyn Any + Send + Sync>) {
        self.work.set_peer(peer);
    }

    /// Gives the job the capacity of its driver. Without it all members of a batch run at once, and bytes are not counted.
    /// Call it before the first poll.
    pub fn set_permits(&mut self, permits: Arc<dyn Permits>) {
        self.work.set_permits(permits);
    }

    /// Polls the work for its next event. [`JobEvent::Done`] and [`JobEvent::Cancelled`] are the last ones.
    #[must_use = "what a job says must be sent"]
    pub fn poll(&mut self, cx: &mut TaskContext<'_>) -> Poll<JobEvent> {
        self.work.poll(cx)
    }

    /// Polls the work once, without a task to wake.
    pub fn poll_now(&mut self) -> Poll<JobEvent> {
        self.poll(&mut TaskContext::from_waker(Waker::noop()))
    }

    /// The time at which the driver must call [`handle_timeout`](Self::handle_timeout): the request has used its time, or a timer of author code is
    /// over. Timers that started since the last call start at `now`. `None` if there is no such time, as for a held stream.
    pub fn poll_timeout(&mut self, now: Instant) -> Option<Instant> {
        self.work.poll_timeout(now)
    }

    /// Ends the timers that are over at `now`, and stops a request that has used its time. Poll the job after it.
    pub fn handle_timeout(&mut self, now: Instant) {
        self.work.handle_timeout(now);
    }

    /// Whether the request was cancelled. The next poll returns [`JobEvent::Cancelled`].
    pub fn is_cancelled(&self) -> bool {
        self.work.is_cancelled()
    }

    /// A handle that cancels the job from any thread: author code that blocks the polling thread can then see its cancellation token
    /// fire. `None` for a held stream and for a batch.
    pub fn canceller(&self) -> Option<Canceller> {
        self.work.canceller().map(Canceller)
    }

    /// The length of the answer, if it is ready and waits behind other messages of the job. Further polls only return these.
    pub fn unsent_bytes(&self) -> usize {
        self.work.unsent_bytes()
    }

    /// Whether author code waits for the answer to a request to the client.
    pub fn is_waiting_for_client(&self) -> bool {
        self.work.is_waiting_for_client()
    }

    /// The stream that carries requests to the client is lost: they get no answer.
    pub fn handle_disconnect(&mut self) {
        self.work.handle_disconnect();
    }

    /// The server shuts down: a held stream ends with its result. Other work continues to its answer.
    pub fn handle_shutdown(&mut self) {
        self.work.handle_shutdown();
    }

    /// Whether only an event stream can carry the answer.
    pub fn needs_stream(&self) -> bool {
        self.work.needs_stream()
    }

    /// Whether the end of the HTTP connection cancels the job. Otherwise the driver polls it to its end and discards the answer.
    pub fn is_cancelled_by_disconnect(&self) -> bool {
        self.work.is_cancelled_by_disconnect()
    }
}

impl Canceller {
    /// Fires the cancellation token of author code. The next poll of the job returns [`JobEvent::Cancelled`]; a driver may also drop it.
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
        write!(f, "Job({})", self.work.name())
    }
}
