//! The answer to a request in a session, until it is known what the response is: a message, or an event stream.

use std::mem;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use http::Response;
use tokio::runtime::Handle;

use crate::client_watch::{AnswerWatch, Gone};
use crate::head::Accepts;
use crate::response::{self, ResponseBody};
use crate::session_job::SessionJob;
use crate::session_stream::SessionStream;
use crate::sessions::event_id::EventId;
use crate::sessions::log::Answer;
use crate::sessions::session::Reading;
use crate::sessions::store::SessionGuard;
use crate::shared::Shared;
use crate::timed_job::{TimedJob, Work};

/// Waits for the answer. Dropped before, it leaves the job running, whose answer is discarded.
pub(crate) struct SessionAnswer {
    /// Until there is a stream.
    session: Option<SessionGuard>,
    stream: u64,
    accepts: Accepts,
    shared: Arc<Shared>,
    client: AnswerWatch,
}

impl SessionAnswer {
    /// Starts a job: from here on it runs in a task of its own.
    pub(crate) fn start(
        Work { job, permit, client }: Work,
        session: SessionGuard,
        accepts: Accepts,
        shared: Arc<Shared>,
    ) -> Self {
        // A session that has ended meanwhile has no such stream, and its requests are cancelled.
        let stream = session.session().begin(!accepts.stream).unwrap_or_default();
        let task = SessionJob::new(TimedJob::new(job, permit), session.clone(), stream);
        if stream > 0
            && let Ok(runtime) = Handle::try_current()
        {
            runtime.spawn(task);
        }
        Self { session: Some(session), stream, accepts, shared, client }
    }

    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Response<ResponseBody>> {
        let session = self.session.as_ref().expect("not polled after it was ready");
        let polled = session.session().poll_answer(self.stream, self.accepts.json, cx.waker());
        if polled.is_pending() {
            self.client.wait(Gone::AtReset);
        }
        let answer = ready!(polled);
        Poll::Ready(match answer {
            Answer::Message(wire, status) => response::answer(wire, &status, self.accepts, &self.shared.options),
            Answer::Nothing => response::empty_stream(),
            Answer::Stream(reader) => {
                let session = self.session.take().expect("borrowed just now");
                let reading = Reading { stream: self.stream, reader };
                let stream = SessionStream::new(session, reading, self.shared.options.keep_alive)
                    .watching(mem::take(&mut self.client), Gone::AtReset);
                let beginning = EventId { stream: self.stream, number: 0 };
                response::session_stream(stream.primed(beginning))
            }
        })
    }
}

impl Drop for SessionAnswer {
    fn drop(&mut self) {
        if let Some(session) = &self.session {
            session.session().abandon(self.stream);
        }
    }
}
