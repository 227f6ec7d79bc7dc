//! A read that runs the author's reader: polled with panics caught, its result validated before it leaves.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::{Context as TaskContext, Poll, Waker};
use std::time::Duration;

use super::Said;
use crate::call::Reply;
use crate::define::{BoxRead, Cause, Context, ReadError, ReadFailure, Source, panic_message};
use crate::era::{self, Era};
use crate::fault::Fault;
use crate::model::Contents;
use crate::rpc::{Code, RequestId, Wire};
use crate::server::{PIPE_REPLY, Server};

/// One read.
///
/// ```text
/// New ──poll──▶ Running ──ready, error or panic──▶ Over
///  └──────expire────┴───────▶ Expired ──poll──────▶ Over
/// ```
pub(super) struct Read {
    server: Server,
    era: &'static Era,
    id: RequestId,
    index: usize,
    context: Context,
    pipe: bool,
    state: State,
    /// Woken by `expire`, which the task that polls may not be the one to call.
    waker: Option<Waker>,
}

enum State {
    New,
    Running(BoxRead),
    Expired,
    Over,
}

type Outcome = Result<Result<Contents, ReadError>, Box<dyn Any + Send>>;

impl Read {
    pub(super) fn new(
        server: Server,
        era: &'static Era,
        id: RequestId,
        index: usize,
        context: Context,
        pipe: bool,
    ) -> Self {
        Self { server, era, id, index, context, pipe, state: State::New, waker: None }
    }

    pub(super) fn time_limit(&self) -> Duration {
        self.server.limits().request_time
    }

    pub(super) fn is_cancelled_by_disconnect(&self) -> bool {
        self.era.disconnect_cancels
    }

    pub(super) fn expire(&mut self) {
        if matches!(self.state, State::New | State::Running(_)) {
            self.context.cancel();
            self.stop(State::Expired);
            if let Some(waker) = self.waker.take() {
                waker.wake();
            }
        }
    }

    pub(super) fn poll(&mut self, cx: &mut TaskContext<'_>) -> Poll<Said> {
        let answered = match self.state {
            State::Expired => Err(ReadFailure::TimedOut(self.time_limit())),
            State::New | State::Running(_) => match self.advance(cx) {
                Poll::Ready(outcome) => self.conclude(outcome),
                Poll::Pending => {
                    self.waker = Some(cx.waker().clone());
                    return Poll::Pending;
                }
            },
            State::Over => return Poll::Pending,
        };
        self.stop(State::Over);
        let answered = answered.unwrap_or_else(|failure| {
            self.server.report(&failure, &self.context);
            Err(Fault::Internal)
        });
        let (wire, refusal) = match answered {
            Ok(wire) => (wire, era::Refusal::None),
            Err(fault) => self.era.write_fault(Some(self.id.token()), &fault),
        };
        if self.pipe && wire.len() > PIPE_REPLY {
            self.server.report(&ReadFailure::LargeReply(wire.len()), &self.context);
        }
        Poll::Ready(Said::Done(wire, refusal))
    }

    /// Runs author code: the reader when the read is new, then its future.
    fn advance(&mut self, cx: &mut TaskContext<'_>) -> Poll<Outcome> {
        let (server, context, state) = (&self.server, &self.context, &mut self.state);
        let polled = catch_unwind(AssertUnwindSafe(|| {
            if matches!(state, State::New) {
                *state = State::Running(start(server, self.index, context));
            }
            match state {
                State::Running(read) => read.as_mut().poll(cx),
                State::New | State::Expired | State::Over => Poll::Pending,
            }
        }));
        match polled {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(result)) => Poll::Ready(Ok(result)),
            Err(panic) => Poll::Ready(Err(panic)),
        }
    }

    /// What the client gets, or what the author is told instead.
    fn conclude(&self, outcome: Outcome) -> Result<Result<Wire, Fault>, ReadFailure> {
        match outcome {
            Ok(Ok(contents)) => self.encode(&contents).map(Ok),
            Ok(Err(ReadError(Cause::NotFound))) => {
                Ok(Err(Fault::UnknownResource { uri: self.context.uri().to_string() }))
            }
            Ok(Err(ReadError(Cause::Public { code, message, data }))) if !Code::is_reserved(code) => {
                Ok(Err(Fault::Author { code, message, data }))
            }
            Ok(Err(error)) => Err(error.into()),
            Err(panic) => Err(ReadFailure::Panicked(panic_message(&*panic))),
        }
    }

    fn encode(&self, contents: &Contents) -> Result<Wire, ReadFailure> {
        let faults = contents.items.iter().flat_map(crate::model::Item::faults);
        let faults: Vec<_> = faults.chain(contents.meta.faults().iter().cloned()).collect();
        if !faults.is_empty() {
            return Err(ReadFailure::InvalidContents(faults));
        }
        let Some(registry) = self.server.registry() else {
            return Err(ReadFailure::InvalidContents(vec!["the server has no resources".to_owned()]));
        };
        let definition = registry.resource(self.index).definition();
        let size: usize = contents.items.iter().map(|item| item.payload.len() + 256).sum();
        let mut members = Vec::with_capacity(size + size / 8);
        era::contents(&mut members, contents, &definition.listing, &definition.content_meta, self.era.fields);
        let reply =
            Reply { cache: Some(registry.hints(self.index)), meta: Some(&contents.meta), ..Reply::members(members) };
        Ok(self.server.write_reply(self.era, self.id.token(), reply))
    }

    /// Leaves the running state; the future's own drop is author code too.
    fn stop(&mut self, next: State) {
        let state = std::mem::replace(&mut self.state, next);
        drop(catch_unwind(AssertUnwindSafe(|| drop(state))));
    }
}

fn start(server: &Server, index: usize, context: &Context) -> BoxRead {
    let source = server.registry().and_then(|registry| registry.resource(index).definition().source.as_ref());
    match source {
        Some(Source::Read(reader)) => reader(context.clone()),
        Some(Source::Fixed(_)) | None => Box::pin(async { Err(ReadError::not_found()) }),
    }
}

impl Drop for Read {
    fn drop(&mut self) {
        if !matches!(self.state, State::Over) {
            self.context.cancel();
            self.stop(State::Over);
        }
    }
}
