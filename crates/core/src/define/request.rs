//! What author code says and asks while it runs: progress, requests to the client, and waiting.
//!
//! All of it goes through the job's [`Outbox`](crate::outbox::Outbox): the code only says what it wants, the driver has the
//! stream and the clock.

use std::error::Error;
use std::fmt;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::{Context as TaskContext, Poll};
use std::time::Duration;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::oneshot;

use super::context::Context;
use crate::model::{Progress, Text};
use crate::outbox::Outgoing;
use crate::rpc::{integer_of, progress_token, to_json};
use crate::session::{Answer, Session};

/// Why a request to the client cannot be sent.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum NoBackChannel {
    /// The protocol revision has no requests from the server to the client.
    Revision,
    /// Nothing carries one: over HTTP a session and a client that takes event streams are needed.
    Transport,
}

/// What came of a request to the client instead of a result.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RequestError {
    /// It was not sent: there is no way.
    Unavailable(NoBackChannel),
    /// It was not sent: its parameters are not JSON.
    InvalidParams(String),
    /// The client answered with an error.
    Refused {
        /// The code.
        code: i64,
        /// The message.
        message: String,
        /// What else it says.
        data: Option<Value>,
    },
    /// The client's answer is none: what is wrong with it.
    InvalidResponse(String),
    /// No answer came in this time.
    TimedOut(Duration),
    /// The client's own request was cancelled meanwhile.
    Cancelled,
    /// The connection was lost, or the session ended, before the answer.
    Disconnected,
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unavailable(NoBackChannel::Revision) => {
                f.write_str("this protocol revision has no requests to the client")
            }
            Self::Unavailable(NoBackChannel::Transport) => f.write_str(
                "nothing carries a request to the client: over HTTP keep sessions, and the client must take event streams",
            ),
            Self::InvalidParams(fault) => write!(f, "the parameters are not JSON: {fault}"),
            Self::Refused { code, message, .. } => write!(f, "the client refused: {message} ({code})"),
            Self::InvalidResponse(fault) => write!(f, "the client's answer is invalid: {fault}"),
            Self::TimedOut(time) => write!(f, "the client did not answer in {} ms", time.as_millis()),
            Self::Cancelled => f.write_str("the request that this one was for was cancelled"),
            Self::Disconnected => f.write_str("the client went away before it answered"),
        }
    }
}

impl Error for RequestError {}

impl Context {
    /// Says how far the work has come. The client gets it if it asked for progress and takes messages before the answer;
    /// what is not more than before is left out.
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

    /// Lets the connection of this request close although the answer is not there yet, so that long work holds none: the
    /// client comes back for it. Where it could not (every transport but HTTP with sessions, and revisions before
    /// 2025-11-25), nothing happens.
    pub fn suspend(&self) {
        if self.read.origin.stream && self.read.origin.resumable {
            self.read.outbox.post(Outgoing::Suspend);
        }
    }

    /// Whether [`request`](Self::request) has a way to the client.
    ///
    /// # Errors
    /// Why it has none.
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

    /// Sends the client a request of any method and waits for the result, for `time` at most. The answer to the client's
    /// own request waits meanwhile; when that is cancelled this future is dropped, and the client is told that its answer
    /// is not wanted any more.
    ///
    /// Extensions of MCP that have requests to the client are written with this; [`host`](crate::host()) is one.
    ///
    /// # Errors
    /// [`RequestError`].
    pub async fn request(
        &self,
        method: impl Into<Text>,
        params: impl Serialize,
        time: Duration,
    ) -> Result<Value, RequestError> {
        let params = to_json(&params).map_err(|error| RequestError::InvalidParams(error.to_string()))?;
        let mut waiting = self.ask(method.into(), params.into())?;
        let mut sleep = pin!(self.sleep(time));
        let answer = poll_fn(|cx| match Pin::new(&mut waiting.answer).poll(cx) {
            Poll::Ready(answer) => Poll::Ready(Some(answer)),
            Poll::Pending => sleep.as_mut().poll(cx).map(|()| None),
        })
        .await;
        // When the request that this one is for is over, nothing is waited for any more: its timers end too.
        if self.is_cancelled() || (self.read.outbox.is_closed() && !matches!(answer, Some(Ok(_)))) {
            return Err(RequestError::Cancelled);
        }
        waiting.reason = answer.is_none().then_some("timed out");
        match answer {
            None => Err(RequestError::TimedOut(time)),
            Some(Ok(Answer::Result(result))) => read(&result).map_err(RequestError::InvalidResponse),
            Some(Ok(Answer::Error(error))) => Err(refused(&error)),
            Some(Err(_)) => Err(RequestError::Disconnected),
        }
    }

    /// Has a request sent.
    fn ask(&self, method: Text, params: Bytes) -> Result<Waiting<'_>, RequestError> {
        let session = self.way_to_client().map_err(RequestError::Unavailable)?;
        let (id, answer) = session.ask().ok_or(RequestError::Disconnected)?;
        self.read.outbox.note_asked(id);
        let mut waiting = Waiting { context: self, session, id, answer, reason: Some("not needed any more") };
        if self.read.outbox.post(Outgoing::Request { id, method, params }) {
            return Ok(waiting);
        }
        // The job is over already, and nobody was asked.
        waiting.reason = None;
        session.forget(id);
        Err(RequestError::Cancelled)
    }

    /// Waits on the driver's clock, which in a test is one that the test moves. Outside a request, and once it is over,
    /// it does not wait.
    pub fn sleep(&self, time: Duration) -> Sleep {
        // Outside a request there is no driver, and no clock.
        let timer = self.read.origin.version.map(|_| self.read.outbox.start_timer(time));
        Sleep { timer, context: self.clone() }
    }
}

fn read(json: &Bytes) -> Result<Value, String> {
    // Its depth was counted when it came in.
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    deserializer.disable_recursion_limit();
    Value::deserialize(&mut deserializer).map_err(|error| error.to_string())
}

fn refused(json: &Bytes) -> RequestError {
    match read(json) {
        Ok(mut error) => match integer_of(&error["code"]) {
            Some(code) => RequestError::Refused {
                code,
                message: error["message"].as_str().unwrap_or_default().to_owned(),
                data: error.get_mut("data").map(Value::take).filter(|data| !data.is_null()),
            },
            None => RequestError::InvalidResponse("\"error\" has no integer \"code\"".to_owned()),
        },
        Err(fault) => RequestError::InvalidResponse(fault),
    }
}

/// A request that was asked for and is not answered. Dropped before that, it is taken back or withdrawn.
struct Waiting<'a> {
    context: &'a Context,
    session: &'a Session,
    id: u64,
    answer: oneshot::Receiver<Answer>,
    /// `None`: it was answered.
    reason: Option<&'static str>,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let outbox = &self.context.read.outbox;
        outbox.note_answered(self.id);
        let Some(reason) = self.reason else { return };
        self.session.forget(self.id);
        if !outbox.take_back(self.id) && !outbox.post(Outgoing::Withdrawn { id: self.id, reason }) {
            self.session.withdraw(self.id);
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
        self.timer.map_or(Poll::Ready(()), |timer| self.context.read.outbox.poll_timer(timer, cx))
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        if let Some(timer) = self.timer {
            self.context.read.outbox.stop_timer(timer);
        }
    }
}

impl fmt::Debug for Sleep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sleep")
    }
}
