//! The future of a response: waits for the body, then for the job if there is one. Named, so that no embedding has to
//! box it; what it does at each step is `service.rs`'s to say.

use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use grange_core::{Said, Wire};
use http::Response;
use http_body::Body;
use pin_project_lite::pin_project;
use tokio::time::Sleep;

use crate::auth::{Authenticating, Denied, Identity};
use crate::body::ResponseBody;
use crate::check::cors::Grant;
use crate::check::media::Accepts;
use crate::read_body::Collect;
use crate::rejection::{self, Refused};
use crate::service::{Admitted, Asking, Next};
use crate::session_answer;
use crate::session_verbs::Bodiless;
use crate::sse::Stream;
use crate::timed_job::Work;

pin_project! {
    /// The future of one response of [`HttpService`](crate::HttpService). Dropping it tells the reader that nobody waits.
    pub struct ResponseFuture<B> {
        #[pin]
        state: State<B>,
        // Which pages may read the response, whatever it is.
        grant: Grant,
    }
}

pin_project! {
    /// ```text
    /// Answered                           (rows 1 to 6, and a preflight)
    /// Authenticating ──who it is──▶ one of the others  (row 3)
    /// Bodiless                           (GET and DELETE, in a session)
    /// Reading ──body──▶ an answer at once
    ///    ├──body, job──▶ Running ──▶ an answer or a stream
    ///    └──the same, in a session──▶ Waiting ──▶ an answer or a stream
    /// ```
    #[project = StateProjection]
    pub(crate) enum State<B> {
        Answered { response: Option<Response<ResponseBody>> },
        Authenticating { authenticating: Authenticating, time: Duration, deadline: Option<Pin<Box<Sleep>>>, asking: Option<Box<Asking<B>>> },
        Bodiless { bodiless: Bodiless },
        Reading { #[pin] collect: Collect<B>, admitted: Option<Admitted> },
        Running { answering: Answering },
        Waiting { answering: session_answer::Answering },
    }
}

impl<B> ResponseFuture<B> {
    pub(crate) fn new(state: State<B>, grant: Grant) -> Self {
        Self { state, grant }
    }

    /// An answer that is there, of a path that is not the service's.
    #[cfg(feature = "serve")]
    pub(crate) fn answered(response: Response<ResponseBody>) -> Self {
        Self::new(State::answered(response), Grant::default())
    }
}

impl<B> State<B> {
    pub(crate) fn answered(response: Response<ResponseBody>) -> Self {
        Self::Answered { response: Some(response) }
    }

    pub(crate) fn refused(refused: Refused) -> Self {
        Self::answered(refused.into_response())
    }

    pub(crate) fn authenticating(authenticating: Authenticating, time: Duration, asking: Box<Asking<B>>) -> Self {
        Self::Authenticating { authenticating, time, deadline: None, asking: Some(asking) }
    }

    pub(crate) fn bodiless(bodiless: Bodiless) -> Self {
        Self::Bodiless { bodiless }
    }

    pub(crate) fn reading(collect: Collect<B>, admitted: Admitted) -> Self {
        Self::Reading { collect, admitted: Some(admitted) }
    }
}

impl<B: Body> State<B> {
    /// The response, or the state that follows.
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Next<B>> {
        const OVER: &str = "not polled after it was ready";
        Poll::Ready(match self.project() {
            StateProjection::Answered { response } => Next::Answer(response.take().expect(OVER)),
            StateProjection::Authenticating { authenticating, time, deadline, asking } => {
                match ready!(in_time(authenticating, *time, deadline, cx)) {
                    Ok(identity) => Next::State(Box::new(asking.take().expect(OVER).known(identity))),
                    Err(denied) => Next::Answer(Refused::Denied(denied).into_response()),
                }
            }
            StateProjection::Bodiless { bodiless } => Next::Answer(bodiless.answer()),
            StateProjection::Reading { collect, admitted } => match ready!(collect.poll(cx)) {
                Ok(body) => admitted.take().expect(OVER).accept(&body),
                Err(refused) => Next::Answer(refused.into_response()),
            },
            StateProjection::Running { answering } => Next::Answer(ready!(answering.poll(cx))),
            StateProjection::Waiting { answering } => Next::Answer(ready!(answering.poll(cx))),
        })
    }
}

/// Who a request is from, unless it takes too long to find out. The clock starts at the first wait.
fn in_time(
    authenticating: &mut Authenticating,
    time: Duration,
    deadline: &mut Option<Pin<Box<Sleep>>>,
    cx: &mut Context<'_>,
) -> Poll<Result<Identity, Denied>> {
    if let Poll::Ready(known) = authenticating.as_mut().poll(cx) {
        return Poll::Ready(known);
    }
    let deadline = deadline.get_or_insert_with(|| Box::pin(tokio::time::sleep(time)));
    deadline
        .as_mut()
        .poll(cx)
        .map(|()| Err(Denied::unavailable("who you are could not be found out in time: try again")))
}

impl<B: Body> Future for ResponseFuture<B> {
    type Output = Result<Response<ResponseBody>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        loop {
            let mut this = self.as_mut().project();
            match ready!(this.state.as_mut().poll(cx)) {
                Next::Answer(mut response) => {
                    this.grant.enter(&mut response);
                    return Poll::Ready(Ok(response));
                }
                Next::Run(answering) => this.state.set(State::Running { answering }),
                Next::State(state) => this.state.set(*state),
                Next::Wait(answering) => this.state.set(State::Waiting { answering }),
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
                    return Poll::Ready(rejection::answer(wire, &refusal, self.accepts, &work.shared().options));
                }
                Poll::Ready(Said::Event(wire)) if self.accepts.stream => {
                    return Poll::Ready(self.open(Some(wire)));
                }
                // A client that takes no stream loses what comes before the answer.
                Poll::Ready(Said::Event(_) | Said::Suspend) => {}
                Poll::Ready(Said::Cancelled) => return Poll::Ready(rejection::stream(ResponseBody::fixed([]))),
                Poll::Pending if self.accepts.json => return Poll::Pending,
                Poll::Pending => return Poll::Ready(self.open(None)),
            }
        }
    }

    /// The answer becomes an event stream, which owns the work from here on.
    fn open(&mut self, first: Option<Wire>) -> Response<ResponseBody> {
        let work = self.work.take().expect("polled just now");
        rejection::stream(ResponseBody::stream(Stream::new(work, first)))
    }
}
