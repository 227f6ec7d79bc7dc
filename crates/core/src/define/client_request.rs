//! The part of [`Context`] with which running author code reports progress, sends requests to the client, and sleeps.
//!
//! Messages go through the job's [`Outbox`](crate::outbox::Outbox), times through its
//! [`Timers`](crate::timers::Timers), because the driver has the stream and the clock.

use std::error::Error;
use std::fmt;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll};
use std::time::Duration;

use bytes::Bytes;
use serde::Serialize;
use serde_json::Value;

use super::context::Context;
use super::json_room::NotAdmitted;
use crate::model::{Progress, Text};
use crate::outbox::Outgoing;
use crate::rpc::{Raw, progress_token, to_json, to_value};
use crate::session::{Answer, ClientRequest, Message, Session};

/// Why a request to the client cannot be sent.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum NoBackChannel {
    /// The protocol revision has no requests from the server to the client.
    Revision,
    /// The transport cannot carry one. Over HTTP, a session and a client that accepts event streams are needed.
    Transport,
}

/// Why a request to the client has no result.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ClientRequestError {
    /// It was not sent: it cannot reach the client.
    Unavailable(NoBackChannel),
    /// It was not sent: its parameters are not JSON.
    InvalidParams(String),
    /// The client answered with an error.
    Refused {
        /// The error code.
        code: i64,
        /// The error message.
        message: String,
        /// The `data` of the error, if it has any that [`Value`] can hold, within
        /// [`Limits::json_values`](crate::Limits::json_values).
        data: Option<Value>,
    },
    /// The client's answer is malformed, or has more values than
    /// [`Limits::json_values`](crate::Limits::json_values); with the problem.
    InvalidResponse(String),
    /// No answer came within this time.
    TimedOut(Duration),
    /// The client's own request was cancelled meanwhile.
    Cancelled,
    /// The connection was lost, or the session ended, before the answer.
    Disconnected,
}

impl fmt::Display for ClientRequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unavailable(NoBackChannel::Revision) => {
                f.write_str("this protocol revision has no requests to the client")
            }
            Self::Unavailable(NoBackChannel::Transport) => f.write_str(
                "nothing carries a request to the client: over HTTP keep sessions, and the client must take event streams",
            ),
            Self::InvalidParams(problem) => write!(f, "the parameters are not JSON: {problem}"),
            Self::Refused { code, message, .. } => write!(f, "the client refused: {message} ({code})"),
            Self::InvalidResponse(problem) => write!(f, "the client's answer is invalid: {problem}"),
            Self::TimedOut(time) => write!(f, "the client did not answer in {} ms", time.as_millis()),
            Self::Cancelled => f.write_str("the request that this one was for was cancelled"),
            Self::Disconnected => f.write_str("the client went away before it answered"),
        }
    }
}

impl Error for ClientRequestError {}

const NO_ROOM: &str = "as much waits of this client as `Limits::connection_bytes` allows: take the answer to a request before you send \
     the next, or raise it";

const NO_ROOM_FOR_VALUES: &str = "the server holds as many bytes for its clients as its limits allow: try again";

impl Context {
    /// Reports the progress of the work. The client gets it if it requested progress and accepts messages before the
    /// answer. Progress that is not larger than before is left out.
    ///
    /// ```
    /// use grange_core::{Progress, Tool};
    /// let index = Tool::builder().name("index").call_without_arguments(|cx| async move {
    ///     for done in 0..3 {
    ///         cx.progress((f64::from(done), 3.0));
    ///         // … the work …
    ///     }
    ///     Ok("indexed")
    /// });
    /// ```
    pub fn progress(&self, progress: impl Into<Progress>) {
        if self.read.origin.stream && self.progress_token().is_some() {
            self.read.outbox.post_progress(progress.into());
        }
    }

    pub(crate) fn progress_token(&self) -> Option<&crate::rpc::RequestId> {
        self.read.progress_token.get_or_init(|| progress_token(&self.read.origin.request)).as_ref()
    }

    /// Lets the connection of this request close before the answer exists, so that long work does not keep it open. The
    /// client resumes the stream to get the answer.
    ///
    /// Does nothing if the client could not resume: on every transport but HTTP with sessions, and in revisions before
    /// 2025-11-25.
    ///
    /// ```
    /// use grange_core::Tool;
    /// let export = Tool::builder().name("export").call_without_arguments(|cx| async move {
    ///     cx.suspend();
    ///     // … long work …
    ///     Ok("exported")
    /// });
    /// ```
    pub fn suspend(&self) {
        if self.read.origin.stream && self.read.origin.resumable {
            self.read.outbox.post(Outgoing::Suspend);
        }
    }

    /// Checks whether [`request`](Self::request) can reach the client.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn back_channel(&self) -> Result<(), NoBackChannel> {
        self.way_to_client().map(drop)
    }

    fn way_to_client(&self) -> Result<&Session, NoBackChannel> {
        let origin = &self.read.origin;
        match &origin.session {
            Some(session) if origin.stream => Ok(session),
            None if !origin.has_requests => Err(NoBackChannel::Revision),
            _ => Err(NoBackChannel::Transport),
        }
    }

    /// Sends the client a request of any method and waits for the result, for `time` at most. The answer to the
    /// client's own request waits meanwhile. If that request is cancelled, this future is dropped, and the client gets
    /// `notifications/cancelled` for the request to it.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use grange_core::Tool;
    ///
    /// let roots = Tool::builder().name("roots").call_without_arguments(|cx| async move {
    ///     let roots = cx.request("roots/list", serde_json::json!({}), Duration::from_secs(10)).await?;
    ///     Ok(roots.to_string())
    /// });
    /// ```
    ///
    /// Use this to write an extension of MCP that has requests to the client; [`host`](crate::host()) is one.
    ///
    /// # Errors
    /// [`ClientRequestError`], if the request was not sent or has no result.
    pub async fn request(
        &self,
        method: impl Into<Text>,
        params: impl Serialize,
        time: Duration,
    ) -> Result<Value, ClientRequestError> {
        let params = to_json(&params).map_err(|error| ClientRequestError::InvalidParams(error.to_string()))?;
        let mut waiting = self.send_request(method.into(), params.into())?;
        let mut sleep = pin!(self.sleep(time));
        let answer = poll_fn(|cx| match Pin::new(&mut waiting.request.answer).poll(cx) {
            Poll::Ready(answer) => Poll::Ready(Some(answer)),
            Poll::Pending => sleep.as_mut().poll(cx).map(|()| None),
        })
        .await;
        // The end of the client's own request ends the timers too, so a timer that ended may mean a cancellation.
        if self.is_cancelled() || (self.read.outbox.is_closed() && !matches!(answer, Some(Ok(_)))) {
            return Err(ClientRequestError::Cancelled);
        }
        match answer {
            None => {
                waiting.reason = "timed out";
                Err(ClientRequestError::TimedOut(time))
            }
            Some(Ok(Answer::Result(result))) => self.value_of(Raw::checked_before(&result.json)),
            Some(Ok(Answer::Error(error))) => Err(self.refused(&error.json)),
            Some(Ok(Answer::NoRoom)) => Err(ClientRequestError::InvalidResponse(NO_ROOM.to_owned())),
            Some(Err(_)) => Err(ClientRequestError::Disconnected),
        }
    }

    fn value_of(&self, json: Raw<'_>) -> Result<Value, ClientRequestError> {
        let admitted = self.admit(json.text()).map_err(|not_admitted| match not_admitted {
            NotAdmitted::TooMany(problem) => problem,
            NotAdmitted::NoRoom => NO_ROOM_FOR_VALUES.to_owned(),
        });
        admitted.and_then(|()| to_value(json)).map_err(ClientRequestError::InvalidResponse)
    }

    /// The error that the client answered with. Its members are read one by one, so that none hides the code.
    fn refused(&self, json: &Bytes) -> ClientRequestError {
        let error = Raw::checked_before(json);
        let Some(code) = error.member("code").and_then(Raw::as_integer) else {
            return ClientRequestError::InvalidResponse("\"error\" has no integer \"code\"".to_owned());
        };
        let message = error.member("message").and_then(Raw::as_string).unwrap_or_default();
        let data = error.member("data").filter(|data| !data.is_null());
        ClientRequestError::Refused { code, message, data: data.and_then(|data| self.value_of(data).ok()) }
    }

    /// Adds a request to the outbox.
    fn send_request(&self, method: Text, params: Bytes) -> Result<Waiting<'_>, ClientRequestError> {
        let session = self.way_to_client().map_err(ClientRequestError::Unavailable)?;
        let request = session.requests().open(self.owner()).ok_or(ClientRequestError::Disconnected)?;
        let id = request.id();
        let waiting = Waiting { context: self, session, request, reason: "no longer needed" };
        if self.read.outbox.post(Outgoing::Request { id, method, params }) {
            Ok(waiting)
        } else {
            Err(ClientRequestError::Cancelled) // The job is over already.
        }
    }

    /// Identifies the client's own request in the ledger of requests to the client, as long as the context exists.
    pub(crate) fn owner(&self) -> usize {
        Arc::as_ptr(&self.read).addr()
    }

    /// Whether code waits for the client's answer to a request.
    pub(crate) fn is_waiting_for_client(&self) -> bool {
        self.session().is_some_and(|session| session.requests().is_waiting_for(self.owner()))
    }

    /// Handles the loss of the stream that carries the requests to the client.
    pub(crate) fn disconnect(&self) {
        if let Some(session) = self.session() {
            session.requests().disconnect(self.owner());
        }
    }

    /// Closes the outbox and ends the timers. A cancellation that the job's own stream did not carry goes through the
    /// session.
    pub(crate) fn close(&self) {
        let unsent = self.read.outbox.close();
        self.read.timers.end();
        let Some(session) = self.session() else { return };
        for outgoing in unsent {
            if let Outgoing::Cancelled { id, reason } = outgoing {
                session.messages().push(Message::Cancelled { id, reason });
            }
        }
    }

    /// Waits for `time` on the driver's clock; a test can use a clock that it moves itself. Outside a request, and
    /// after its end, this does not wait.
    pub fn sleep(&self, time: Duration) -> Sleep {
        // Outside a request there is no driver, and no clock.
        let timer = self.read.origin.version.map(|_| self.read.timers.start(time));
        // The job must be polled, so that the driver learns about the new timer.
        self.read.outbox.wake();
        Sleep { timer, context: self.clone() }
    }
}

/// A request that waits for its answer. If dropped before the answer, it is removed from the outbox or, once sent,
/// cancelled.
struct Waiting<'a> {
    context: &'a Context,
    session: &'a Session,
    request: ClientRequest,
    /// The reason in the cancellation, if one is sent.
    reason: &'static str,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let Self { context, session, request, reason } = self;
        let (outbox, id, reason) = (&context.read.outbox, request.id(), *reason);
        if !request.close() {
            outbox.forget_request(id);
        } else if !outbox.post(Outgoing::Cancelled { id, reason }) {
            session.messages().push(Message::Cancelled { id, reason });
        }
    }
}

/// Waits on the driver's clock; see [`Context::sleep`].
#[must_use = "a future does nothing until it is awaited"]
pub struct Sleep {
    context: Context,
    timer: Option<u64>,
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut TaskContext<'_>) -> Poll<()> {
        self.timer.map_or(Poll::Ready(()), |timer| self.context.read.timers.poll(timer, cx))
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        if let Some(timer) = self.timer {
            self.context.read.timers.stop(timer);
        }
    }
}

impl fmt::Debug for Sleep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sleep")
    }
}
