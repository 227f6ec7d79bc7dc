//! The future of a response: waits for the body, then for the job if there is one. Named, so that no embedding has to
//! box it; what it does at each step is `service.rs`'s to say.

use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use grange_core::{Said, Wire};
use http::Response;
use http_body::Body;
use pin_project_lite::pin_project;

use crate::body::ResponseBody;
use crate::collect::Collect;
use crate::media::Accepts;
use crate::refusal::{self, Refused};
use crate::service::{Admitted, Next};
use crate::sessions::{self, Bodiless};
use crate::sse::Stream;
use crate::work::Work;

pin_project! {
    /// The future of one response of [`HttpService`](crate::HttpService). Dropping it tells the reader that nobody waits.
    pub struct ResponseFuture<B> {
        #[pin]
        state: State<B>,
    }
}

pin_project! {
    /// ```text
    /// Refused                            (rows 1 to 6)
    /// Bodiless                           (GET and DELETE, in a session)
    /// Reading ──body──▶ an answer at once
    ///    ├──body, job──▶ Running ──▶ an answer or a stream
    ///    └──the same, in a session──▶ Waiting ──▶ an answer or a stream
    /// ```
    #[project = StateProjection]
    enum State<B> {
        Refused { refused: Option<Refused> },
        Bodiless { bodiless: Bodiless },
        Reading { #[pin] collect: Collect<B>, admitted: Option<Admitted> },
        Running { answering: Answering },
        Waiting { answering: sessions::Answering },
    }
}

impl<B: Body> ResponseFuture<B> {
    pub(crate) fn refused(refused: Refused) -> Self {
        Self { state: State::Refused { refused: Some(refused) } }
    }

    pub(crate) fn bodiless(bodiless: Bodiless) -> Self {
        Self { state: State::Bodiless { bodiless } }
    }

    pub(crate) fn reading(collect: Collect<B>, admitted: Admitted) -> Self {
        Self { state: State::Reading { collect, admitted: Some(admitted) } }
    }
}

impl<B: Body> Future for ResponseFuture<B> {
    type Output = Result<Response<ResponseBody>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        loop {
            let next = match self.as_mut().project().state.project() {
                StateProjection::Refused { refused } => {
                    Next::Answer(refused.take().expect("not polled after it was ready").into_response())
                }
                StateProjection::Bodiless { bodiless } => Next::Answer(bodiless.answer()),
                StateProjection::Reading { collect, admitted } => match ready!(collect.poll(cx)) {
                    Ok(body) => admitted.take().expect("not polled after it was ready").accept(&body),
                    Err(refused) => Next::Answer(refused.into_response()),
                },
                StateProjection::Running { answering } => Next::Answer(ready!(answering.poll(cx))),
                StateProjection::Waiting { answering } => Next::Answer(ready!(answering.poll(cx))),
            };
            match next {
                Next::Answer(response) => return Poll::Ready(Ok(response)),
                Next::Run(answering) => self.as_mut().project().state.set(State::Running { answering }),
                Next::Wait(answering) => self.as_mut().project().state.set(State::Waiting { answering }),
            }
        }
    }
}

impl<B> fmt::Debug for ResponseFuture<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ResponseFuture")
    }
}

/// A job on its way to an answer: JSON, unless it says something before or the client takes only a stream.
pub(crate) struct Answering {
    work: Option<Work>,
    accepts: Accepts,
}

impl Answering {
    pub(crate) fn new(work: Work, accepts: Accepts) -> Self {
        Self { work: Some(work), accepts }
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Response<ResponseBody>> {
        loop {
            let work = self.work.as_mut().expect("not polled after it was ready");
            match work.poll(cx) {
                Poll::Ready(Said::Done(wire, refusal)) => {
                    return Poll::Ready(refusal::answer(wire, refusal, self.accepts));
                }
                Poll::Ready(Said::Event(wire)) if self.accepts.stream => {
                    return Poll::Ready(self.open(Some(wire)));
                }
                // A client that takes no stream loses what comes before the answer.
                Poll::Ready(Said::Event(_) | Said::Suspend) => {}
                Poll::Ready(Said::Cancelled) => return Poll::Ready(refusal::stream(ResponseBody::fixed([]))),
                Poll::Pending if self.accepts.json => return Poll::Pending,
                Poll::Pending => return Poll::Ready(self.open(None)),
            }
        }
    }

    /// The answer becomes an event stream, which owns the work from here on.
    fn open(&mut self, first: Option<Wire>) -> Response<ResponseBody> {
        let work = self.work.take().expect("polled just now");
        refusal::stream(ResponseBody::stream(Stream::new(work, first)))
    }
}
