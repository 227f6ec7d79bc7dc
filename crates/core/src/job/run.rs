//! Work that runs author code: polls its [`Task`] for a limited time, catches its panics, and sends its messages.
//!
//! Not here: the outcome of a read, a call or a method, and how it is encoded (`task.rs` and its handlers).

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Weak};
use std::task::{Context as TaskContext, Poll, Waker};
use std::time::Instant;

use super::event::JobEvent;
use super::handle::Job;
use super::work::Work;
use crate::define::{Context, HandlerFailure, panic_message};
use crate::era::{self, Era, Status};
use crate::outbox::Outgoing;
use crate::permits::Permits;
use crate::rejection::Rejection;
use crate::rpc::{RequestId, Wire};
use crate::server::{PIPE_REPLY, Server};
use crate::session::{Cancel, InFlightGuard, Session};
use crate::task::{Concluded, NoAnswer, Scope, Task, WriteRejection};
use crate::telemetry::RequestSpan;

/// The parts of the request that every run needs.
pub(crate) struct Running {
    pub(super) server: Server,
    pub(super) era: &'static Era,
    pub(super) id: RequestId,
    pub(super) context: Context,
    pub(super) pipe: bool,
    pub(super) span: RequestSpan,
}

impl Running {
    pub(crate) fn new(server: Server, era: &'static Era, id: RequestId, context: Context, pipe: bool) -> Self {
        Self { server, era, id, context, pipe, span: RequestSpan::none() }
    }
}

/// One run of author code.
///
/// ```text
/// Running ──ready, error or panic──▶ Finished ──last message sent──▶ Over
///  ├──────────timeout──▶ Expired ──poll──▲
///  └──────────cancel───────────────────────────────────────────▶ Over
/// ```
struct Run {
    running: Running,
    /// The name of the task in the `Debug` output of the job.
    name: &'static str,
    write_rejection: WriteRejection,
    state: State,
    /// When the request has used its time; known after the first call of `poll_timeout`.
    due: Option<Instant>,
    /// Woken by `handle_timeout`, which another task than the polling one may call.
    waker: Option<Waker>,
    /// In a session over HTTP, lets the client cancel this request by its id.
    _in_flight: Option<InFlightGuard>,
}

enum State {
    Running(Box<dyn Task>),
    Expired,
    Finished(JobEvent),
    Over,
}

impl Job {
    /// A job that runs author code.
    pub(crate) fn run(running: Running, task: Box<dyn Task>) -> Self {
        let session = running.context.session().filter(|_| !running.pipe);
        let in_flight =
            session.map(|session| session.in_flight().enter(running.id.token(), running.context.canceller()));
        Self::new(Run {
            running,
            name: task.name(),
            write_rejection: task.rejection_writer(),
            state: State::Running(task),
            due: None,
            waker: None,
            _in_flight: in_flight,
        })
    }
}

impl Work for Run {
    fn name(&self) -> &'static str {
        self.name
    }

    fn set_span(&mut self, span: RequestSpan) {
        self.running.span = span;
    }

    fn set_peer(&mut self, peer: Arc<dyn Any + Send + Sync>) {
        self.running.context.set_peer(peer);
    }

    fn set_permits(&mut self, permits: Arc<dyn Permits>) {
        self.running.context.set_permits(permits);
    }

    fn is_cancelled_by_disconnect(&self) -> bool {
        self.running.era.disconnect_cancels
    }

    fn poll_timeout(&mut self, now: Instant) -> Option<Instant> {
        if !self.is_unfinished() {
            return None;
        }
        if self.due.is_none() {
            self.due = now.checked_add(self.running.server.limits().request_time);
        }
        self.due.into_iter().chain(self.running.context.timers().poll_timeout(now)).min()
    }

    fn handle_timeout(&mut self, now: Instant) {
        // A request that was cancelled gets no answer, even if its time is over before the next poll.
        if !self.is_unfinished() || self.is_cancelled() {
            return;
        }
        self.running.context.timers().handle_timeout(now);
        if self.due.is_some_and(|due| due <= now) {
            self.running.context.cancel();
            self.stop(State::Expired);
            if let Some(waker) = self.waker.take() {
                waker.wake();
            }
        }
    }

    fn handle_disconnect(&mut self) {
        self.running.context.disconnect();
    }

    fn is_cancelled(&self) -> bool {
        self.is_unfinished() && self.running.context.is_cancelled()
    }

    fn canceller(&self) -> Option<Weak<dyn Cancel>> {
        Some(self.running.context.canceller())
    }

    fn unsent_bytes(&self) -> usize {
        if let State::Finished(JobEvent::Done(wire, _)) = &self.state { wire.len() } else { 0 }
    }

    fn is_waiting_for_client(&self) -> bool {
        self.running.context.is_waiting_for_client()
    }

    fn poll(&mut self, cx: &mut TaskContext<'_>) -> Poll<JobEvent> {
        let context = &self.running.context;
        context.outbox().wake_on_news(cx.waker());
        if self.is_cancelled() {
            // Unsent messages are dropped. Requests that the client has are cancelled through the session.
            self.running.span.cancelled();
            self.stop(State::Over);
            self.close();
            return Poll::Ready(JobEvent::Cancelled);
        }
        if self.is_unfinished() {
            match self.advance(cx) {
                Poll::Ready(concluded) => {
                    let said = self.answer(concluded);
                    self.stop(State::Finished(said));
                }
                Poll::Pending => self.waker = Some(cx.waker().clone()),
            }
        } else if let State::Expired = self.state {
            let time = self.running.server.limits().request_time;
            self.state = State::Finished(self.answer(Err(HandlerFailure::TimedOut(time).into())));
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

impl Run {
    fn is_unfinished(&self) -> bool {
        matches!(self.state, State::Running(_))
    }

    /// The next message of author code from the outbox.
    fn next_outgoing(&self, cx: &TaskContext<'_>) -> Option<JobEvent> {
        let Running { context, era, .. } = &self.running;
        let requests = context.session().map(Session::requests);
        let may_send_requests = || requests.is_some_and(|requests| requests.poll_ready(context.owner(), cx.waker()));
        let message = loop {
            break match context.outbox().take(may_send_requests)? {
                Outgoing::Progress(progress) => era::progress(context.progress_token()?.token(), &progress, era),
                Outgoing::Request { id, method, params } => {
                    if !requests.is_some_and(|requests| requests.set_sent(id)) {
                        continue;
                    }
                    era::request(id, &method, &params)
                }
                Outgoing::Suspend => return Some(JobEvent::Suspend),
                Outgoing::Cancelled { id, reason } => era::cancelled_request(id, reason),
            };
        };
        let wire = Wire::one(message);
        self.running.span.said(&wire);
        Some(JobEvent::Event(wire))
    }

    /// Polls author code.
    fn advance(&mut self, cx: &mut TaskContext<'_>) -> Poll<Concluded> {
        let Self { running: Running { server, era, id, context, span, .. }, state, .. } = self;
        let State::Running(task) = state else { return Poll::Pending };
        let report = |failure: &HandlerFailure| server.report(failure, context);
        let scope = Scope { context, writer: server.writer(era, id.token()), report: &report };
        let _entered = span.span.enter();
        catch_unwind(AssertUnwindSafe(|| task.poll(&scope, cx)))
            .unwrap_or_else(|panic| Poll::Ready(Err(HandlerFailure::Panicked(panic_message(&*panic)).into())))
    }

    fn answer(&mut self, concluded: Concluded) -> JobEvent {
        let Self { running: Running { server, era, id, context, pipe, span }, write_rejection, .. } = self;
        let concluded = concluded.map_err(|no_answer| match no_answer {
            NoAnswer::Rejection(rejection) => rejection,
            NoAnswer::Failure(failure) => {
                server.report(&failure, context);
                Rejection::Internal
            }
        });
        let rejected = |rejection: &Rejection| {
            let (wire, status) = write_rejection(&server.writer(era, id.token()), rejection);
            (wire, status, Some(era.code(rejection).0))
        };
        let (wire, status, code) = match concluded {
            Ok(wire) => (wire, Status::Ok, None),
            Err(rejection) => rejected(&rejection),
        };
        // On a pipe the driver counts what waits to be sent.
        let held = if *pipe { Some(wire) } else { hold(wire, context) }.map(|wire| (wire, status, code));
        let (wire, status, code) = held.unwrap_or_else(|| rejected(&Rejection::NoRoomForAnswer));
        span.answered(code, &wire);
        if *pipe && wire.len() > PIPE_REPLY {
            server.report(&HandlerFailure::LargeReply(wire.len()), context);
        }
        JobEvent::Done(wire, status)
    }

    /// Leaves the running state. The drop of the future runs author code too, so its panic is caught.
    fn stop(&mut self, next: State) {
        let state = std::mem::replace(&mut self.state, next);
        drop(catch_unwind(AssertUnwindSafe(|| drop(state))));
    }

    /// Closes the outbox and the timers.
    fn close(&self) {
        // Author code that waits in a task of its own wakes, and finds the job over.
        self.running.context.close();
    }
}

/// Counts an answer as long as it waits to be sent. `None` if the driver has no room for it.
fn hold(wire: Wire, context: &Context) -> Option<Wire> {
    wire.held(|bytes| context.hold(bytes)).ok()
}

impl Drop for Run {
    fn drop(&mut self) {
        if !matches!(self.state, State::Over) {
            self.running.span.cancelled();
            self.running.context.cancel();
            self.stop(State::Over);
            self.close();
        }
    }
}
