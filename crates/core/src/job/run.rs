//! Work that runs the author's code: polled with panics caught, its messages sent, its outcome concluded by its
//! [`Task`].

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context as TaskContext, Poll, Waker};
use std::time::Instant;

use super::event::JobEvent;
use super::handle::Job;
use super::work::Work;
use crate::define::{Context, ReadFailure, panic_message};
use crate::era::{self, Era, Refusal};
use crate::fault::Fault;
use crate::outbox::Outgoing;
use crate::rpc::{RequestId, Wire};
use crate::server::{PIPE_REPLY, Server};
use crate::session::{Cancel, InFlightGuard};
use crate::telemetry::RequestSpan;

/// What kind of code is run, and what is made of its outcome.
pub(super) trait Task: Send {
    type Output: Send;
    type Error: Send;

    /// What it is called in the log.
    const NAME: &'static str;

    /// Runs author code for the first time.
    fn start(&self, running: &Running) -> Boxed<Self>;

    /// What the client gets, or what the author is told instead.
    fn conclude(
        &self,
        running: &Running,
        outcome: Result<Self::Output, Self::Error>,
    ) -> Result<Result<Wire, Fault>, ReadFailure>;
}

/// A task's future.
pub(super) type Boxed<T> = Pin<Box<dyn Future<Output = Result<<T as Task>::Output, <T as Task>::Error>> + Send>>;

/// What every task is run with.
pub(crate) struct Running {
    pub(super) server: Server,
    pub(super) era: &'static Era,
    pub(super) id: RequestId,
    pub(super) context: Context,
    pub(super) pipe: bool,
    pub(super) watch: RequestSpan,
}

impl Running {
    pub(crate) fn new(server: Server, era: &'static Era, id: RequestId, context: Context, pipe: bool) -> Self {
        Self { server, era, id, context, pipe, watch: RequestSpan::none() }
    }
}

/// One run.
///
/// ```text
/// New ──poll──▶ Running ──ready, error or panic──▶ Finished ──last message sent──▶ Over
///  ├──────────expire───────▶ Expired ──poll──────────▲
///  └──────────cancel───────────────────────────────────────────────────────▶ Over
/// ```
pub(super) struct Run<T: Task> {
    running: Running,
    task: T,
    state: State<T>,
    /// When the request has had its time; known once the job was told the time.
    due: Option<Instant>,
    /// Woken by `expire`, which the task that polls may not be the one to call.
    waker: Option<Waker>,
    /// In a session, how the client cancels this request by its id.
    _enrolled: Option<InFlightGuard>,
}

enum State<T: Task> {
    New,
    Running(Boxed<T>),
    Expired,
    Finished(JobEvent),
    Over,
}

type Outcome<T> = Result<Result<<T as Task>::Output, <T as Task>::Error>, Box<dyn Any + Send>>;

impl<T: Task + 'static> Run<T> {
    pub(super) fn job(running: Running, task: T) -> Job {
        let enrolled = running.context.session().filter(|_| !running.pipe);
        let enrolled = enrolled.map(|held| held.enrol(running.id.token(), running.context.canceller()));
        Job::new(Self { running, task, state: State::New, due: None, waker: None, _enrolled: enrolled })
    }
}

impl<T: Task> Work for Run<T> {
    fn name(&self) -> &'static str {
        T::NAME
    }

    fn watch(&mut self, watch: RequestSpan) {
        self.running.watch = watch;
    }

    fn set_peer(&self, peer: Arc<dyn Any + Send + Sync>) {
        self.running.context.set_peer(peer);
    }

    fn is_cancelled_by_disconnect(&self) -> bool {
        self.running.era.disconnect_cancels
    }

    fn due(&mut self, now: Instant) -> Option<Instant> {
        if !self.is_unfinished() {
            return None;
        }
        if self.due.is_none() {
            self.due = now.checked_add(self.running.server.limits().request_time);
        }
        self.due.into_iter().chain(self.running.context.outbox().due(now)).min()
    }

    fn expire(&mut self, now: Instant) {
        if !self.is_unfinished() {
            return;
        }
        self.running.context.outbox().expire(now);
        if self.due.is_some_and(|due| due <= now) {
            self.running.context.cancel();
            self.stop(State::Expired);
            if let Some(waker) = self.waker.take() {
                waker.wake();
            }
        }
    }

    fn disconnect(&mut self) {
        if let Some(session) = self.running.context.session() {
            for id in self.running.context.outbox().asked() {
                session.forget(id);
            }
        }
    }

    fn is_cancelled(&self) -> bool {
        self.is_unfinished() && self.running.context.is_cancelled()
    }

    fn canceller(&self) -> Option<Weak<dyn Cancel>> {
        Some(self.running.context.canceller())
    }

    fn is_asking(&self) -> bool {
        !self.running.context.outbox().asked().is_empty()
    }

    fn poll(&mut self, cx: &mut TaskContext<'_>) -> Poll<JobEvent> {
        let context = &self.running.context;
        context.outbox().wake_on_news(cx.waker());
        if self.is_cancelled() {
            // Nothing of what it had still to say is wanted; what was sent already is withdrawn by its session.
            self.running.watch.cancelled();
            self.stop(State::Over);
            self.close();
            return Poll::Ready(JobEvent::Cancelled);
        }
        if self.is_unfinished() {
            match self.advance(cx) {
                Poll::Ready(outcome) => self.finish(outcome),
                Poll::Pending => self.waker = Some(cx.waker().clone()),
            }
        } else if let State::Expired = self.state {
            let time = self.running.server.limits().request_time;
            self.state = State::Finished(self.answer(Err(ReadFailure::TimedOut(time))));
        }
        if let Some(said) = self.next_outgoing(cx) {
            return Poll::Ready(said);
        }
        match std::mem::replace(&mut self.state, State::Over) {
            State::Finished(said) => {
                self.close();
                Poll::Ready(said)
            }
            unfinished => {
                self.state = unfinished;
                Poll::Pending
            }
        }
    }
}

impl<T: Task> Run<T> {
    fn is_unfinished(&self) -> bool {
        matches!(self.state, State::New | State::Running(_))
    }

    /// What author code said, as messages.
    fn next_outgoing(&self, cx: &TaskContext<'_>) -> Option<JobEvent> {
        let Running { context, era, .. } = &self.running;
        let may_ask = || context.session().is_some_and(|held| held.poll_ready(cx.waker()));
        let said = match context.outbox().take(may_ask)? {
            Outgoing::Progress(progress) => era::progress(context.progress_token()?.token(), &progress, era),
            Outgoing::Request { id, method, params } => era::request(id, &method, &params),
            Outgoing::Suspend => return Some(JobEvent::Suspend),
            Outgoing::Withdrawn { id, reason } => era::withdrawn(id, reason),
        };
        let wire = Wire::one(said);
        self.running.watch.said(&wire);
        Some(JobEvent::Event(wire))
    }

    /// Runs author code: the task's start when it is new, then its future.
    fn advance(&mut self, cx: &mut TaskContext<'_>) -> Poll<Outcome<T>> {
        let (running, task, state) = (&self.running, &self.task, &mut self.state);
        let _entered = running.watch.span.enter();
        let polled = catch_unwind(AssertUnwindSafe(|| {
            if matches!(state, State::New) {
                *state = State::Running(task.start(running));
            }
            match state {
                State::Running(future) => future.as_mut().poll(cx),
                _ => Poll::Pending,
            }
        }));
        match polled {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(result)) => Poll::Ready(Ok(result)),
            Err(panic) => Poll::Ready(Err(panic)),
        }
    }

    fn finish(&mut self, outcome: Outcome<T>) {
        let concluded = match outcome {
            Ok(outcome) => self.task.conclude(&self.running, outcome),
            Err(panic) => Err(ReadFailure::Panicked(panic_message(&*panic))),
        };
        let said = self.answer(concluded);
        self.stop(State::Finished(said));
    }

    fn answer(&mut self, concluded: Result<Result<Wire, Fault>, ReadFailure>) -> JobEvent {
        let Running { server, era, id, context, pipe, watch } = &mut self.running;
        let answered = concluded.unwrap_or_else(|failure| {
            server.report(&failure, context);
            Err(Fault::Internal)
        });
        let code = answered.as_ref().err().map(|fault| era.code(fault).0);
        let (wire, refusal) = match answered {
            Ok(wire) => (wire, Refusal::None),
            Err(fault) => era.write_fault(Some(id.token()), &fault),
        };
        watch.answered(code, &wire);
        if *pipe && wire.len() > PIPE_REPLY {
            server.report(&ReadFailure::LargeReply(wire.len()), context);
        }
        JobEvent::Done(wire, refusal)
    }

    /// Leaves the running state; the future's own drop is author code too.
    fn stop(&mut self, next: State<T>) {
        let state = std::mem::replace(&mut self.state, next);
        drop(catch_unwind(AssertUnwindSafe(|| drop(state))));
    }

    /// Nothing is taken from the author's code any more. What the client should still be told, its session keeps.
    fn close(&self) {
        let context = &self.running.context;
        // What waits in a task of the author's own wakes, and finds the job closed.
        let withdrawn = context.outbox().close();
        if let Some(session) = context.session() {
            for id in withdrawn {
                session.withdraw(id);
            }
        }
    }
}

impl<T: Task> Drop for Run<T> {
    fn drop(&mut self) {
        if !matches!(self.state, State::Over) {
            self.running.watch.cancelled();
            self.running.context.cancel();
            self.stop(State::Over);
            self.close();
        }
    }
}
