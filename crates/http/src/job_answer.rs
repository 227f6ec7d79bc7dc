//! The answer of a job without a session, until it is known what the response is: JSON, or an event stream if the job gives a message
//! before its answer or the client accepts only a stream.

use std::sync::Arc;
use std::task::{Context, Poll};

use grange_core::{JobEvent, Wire};
use http::Response;

use crate::head::Accepts;
use crate::response::{self, ResponseBody};
use crate::shared::Shared;
use crate::timed_job::DetachableJob;

/// Waits for the answer. Dropped before, it cancels the job as a disconnect does.
pub(crate) struct JobAnswer {
    /// Until a stream has it.
    job: Option<DetachableJob>,
    accepts: Accepts,
    shared: Arc<Shared>,
}

impl JobAnswer {
    pub(crate) fn new(job: DetachableJob, accepts: Accepts, shared: Arc<Shared>) -> Self {
        Self { job: Some(job), accepts, shared }
    }

    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Response<ResponseBody>> {
        loop {
            let job = self.job.as_mut().expect("not polled after it was ready");
            match job.poll(cx) {
                Poll::Ready(JobEvent::Done(wire, status)) => {
                    return Poll::Ready(response::answer(wire, &status, self.accepts, &self.shared.options));
                }
                Poll::Ready(JobEvent::Event(wire)) if self.accepts.stream => {
                    return Poll::Ready(self.stream(Some(wire)));
                }
                // A client that accepts no stream loses what comes before the answer.
                Poll::Ready(JobEvent::Event(_) | JobEvent::Suspend) => {}
                Poll::Ready(JobEvent::Cancelled) => return Poll::Ready(response::empty_stream()),
                Poll::Pending if self.accepts.json => return Poll::Pending,
                Poll::Pending => return Poll::Ready(self.stream(None)),
            }
        }
    }

    /// The response becomes an event stream, which owns the job from here on.
    fn stream(&mut self, first: Option<Wire>) -> Response<ResponseBody> {
        let job = self.job.take().expect("polled just now");
        response::job_stream(self.shared.job_stream(job, first))
    }
}
