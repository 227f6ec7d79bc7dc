//! A task: author code that answers one request. Its outcome becomes an encoded answer or an error.
//!
//! A read, a call and a request to an extension implement [`Handler`]. The job that runs them sees only a boxed [`Task`].
//! Not here: the job itself, which catches panics and limits the time (`job/run.rs`).

use std::pin::Pin;
use std::task::{Context as TaskContext, Poll};

use crate::define::{Cause, Context, HandlerFailure, ReadError};
use crate::era::{ReplyWriter, Status};
use crate::rejection::Rejection;
use crate::rpc::Wire;

/// Author code to poll until it has an answer.
pub(crate) trait Task: Send {
    /// The name of this kind of work in the `Debug` output of its job.
    fn name(&self) -> &'static str;

    /// How the answer is written if the request is rejected.
    fn rejection_writer(&self) -> WriteRejection;

    /// Polls author code, **which may panic**. The first poll starts it; after `Ready` it is not polled again.
    fn poll(&mut self, scope: &Scope<'_>, cx: &mut TaskContext<'_>) -> Poll<Concluded>;
}

/// The parts of the request that a task needs when it is polled.
pub(crate) struct Scope<'a> {
    pub(crate) context: &'a Context,
    /// Encodes the answer for the revision in force.
    pub(crate) writer: ReplyWriter<'a>,
    /// Reports a failure that the request survives.
    pub(crate) report: &'a dyn Fn(&HandlerFailure),
}

/// Writes the answer to a request that is rejected, and states how a transport with statuses should rate it.
pub(crate) type WriteRejection = fn(&ReplyWriter<'_>, &Rejection) -> (Wire, Status);

/// The encoded answer, or the reason why there is none.
pub(crate) type Concluded = Result<Wire, NoAnswer>;

/// Why there is no answer.
pub(crate) enum NoAnswer {
    /// The client gets this error.
    Rejection(Rejection),
    /// The author gets this failure; the client gets an internal error.
    Failure(HandlerFailure),
}

impl From<Rejection> for NoAnswer {
    fn from(rejection: Rejection) -> Self {
        Self::Rejection(rejection)
    }
}

impl From<HandlerFailure> for NoAnswer {
    fn from(failure: HandlerFailure) -> Self {
        Self::Failure(failure)
    }
}

/// Decides which errors of author code the client gets.
impl From<Cause> for NoAnswer {
    fn from(cause: Cause) -> Self {
        match cause {
            Cause::Public { code, message, data } => Self::Rejection(Rejection::Author { code, message, data }),
            Cause::MissingCapabilities(required) => Self::Rejection(Rejection::MissingCapabilities(required)),
            Cause::MissingScopes(scopes) => Self::Rejection(Rejection::MissingScopes(scopes)),
            cause => Self::Failure(ReadError(cause).into()),
        }
    }
}

/// One kind of author code: how it starts, and how its outcome becomes an answer.
pub(crate) trait Handler: Send {
    /// The output of the author's future.
    type Outcome;

    /// The name of this kind of work in the `Debug` output of its job.
    const NAME: &'static str;

    /// How the answer is written if the request is rejected: as an error.
    const WRITE_REJECTION: WriteRejection = |writer, rejection| writer.era.write_rejection(Some(writer.id), rejection);

    /// Starts author code. Called once.
    fn start(&mut self, context: &Context) -> BoxFuture<Self::Outcome>;

    /// Validates the outcome and encodes it.
    fn conclude(&mut self, scope: &Scope<'_>, outcome: Self::Outcome) -> Concluded;
}

/// A future of author code.
pub(crate) type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Makes a handler a task.
pub(crate) fn task(handler: impl Handler + 'static) -> Box<dyn Task> {
    Box::new(Handling { handler, future: None })
}

/// A handler, and its future once it has started.
struct Handling<H: Handler> {
    handler: H,
    future: Option<BoxFuture<H::Outcome>>,
}

impl<H: Handler> Task for Handling<H> {
    fn name(&self) -> &'static str {
        H::NAME
    }

    fn rejection_writer(&self) -> WriteRejection {
        H::WRITE_REJECTION
    }

    fn poll(&mut self, scope: &Scope<'_>, cx: &mut TaskContext<'_>) -> Poll<Concluded> {
        let Self { handler, future } = self;
        let polled = future.get_or_insert_with(|| handler.start(scope.context)).as_mut().poll(cx);
        polled.map(|outcome| handler.conclude(scope, outcome))
    }
}
