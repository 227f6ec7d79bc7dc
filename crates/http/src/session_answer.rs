//! The answer to a request in a session, until it is known what it is: a message, or an event stream.

use std::sync::Arc;
use std::task::{Context, Poll};

use grange_core::Job;
use http::Response;
use tokio::runtime::Handle;

use crate::body::ResponseBody;
use crate::capacity::Place;
use crate::check::media::Accepts;
use crate::rejection;
use crate::service::Shared;
use crate::session_job::Writer;
use crate::session_stream::Cursor;
use crate::sessions::event_id::EventId;
use crate::sessions::log::Answer;
use crate::sessions::session::Reading;
use crate::sessions::store::Visit;
use crate::timed_job::Running;

/// Waits for the answer. Dropped before, it leaves the request running, and nobody will see what comes of it.
pub(crate) struct Answering {
    /// Until there is a stream.
    visit: Option<Visit>,
    stream: u64,
    accepts: Accepts,
    shared: Arc<Shared>,
}

impl Answering {
    /// Starts a request: from here on it runs by itself.
    pub(crate) fn start(job: Job, place: Place, visit: Visit, accepts: Accepts) -> Self {
        let shared = place.shared().clone();
        // A session that has ended meanwhile has no such stream, and its requests are cancelled.
        let stream = visit.session().begin(!accepts.stream).unwrap_or_default();
        let writer = Writer::new(Running::new(job, place), visit.clone(), stream);
        if stream > 0
            && let Ok(runtime) = Handle::try_current()
        {
            runtime.spawn(writer);
        }
        Self { visit: Some(visit), stream, accepts, shared }
    }

    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Response<ResponseBody>> {
        let visit = self.visit.as_ref().expect("not polled after it was ready");
        let answer = std::task::ready!(visit.session().poll_answer(self.stream, self.accepts.json, cx.waker()));
        Poll::Ready(match answer {
            Answer::Message(wire, refusal) => rejection::answer(wire, &refusal, self.accepts, &self.shared.options),
            Answer::Nothing => rejection::stream(ResponseBody::fixed([])),
            Answer::Stream(reader) => {
                let visit = self.visit.take().expect("borrowed just now");
                let reading = Reading { stream: self.stream, reader };
                let cursor = Cursor::new(visit, reading, self.shared.options.keep_alive);
                let beginning = EventId { stream: self.stream, number: 0 };
                rejection::stream(ResponseBody::session(cursor.primed(beginning)))
            }
        })
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        if let Some(visit) = &self.visit {
            visit.session().abandon(self.stream);
        }
    }
}
