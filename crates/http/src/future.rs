//! The future of a response, which alone holds the body of the request: it waits where a [`Step`] of the pipeline needs it, and gives
//! the pipeline the result. It is a named type, so that no application has to box it.
//!
//! The body becomes one byte string: counted as it arrives, against a deadline. One in one frame is not copied. `Content-Length` is
//! trusted only to reject a body that is too long, and to reserve a few bytes.

use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Buf, Bytes, BytesMut};
use http::Response;
use http::request::Parts;
use http_body::Body;
use pin_project_lite::pin_project;
use tokio::time::Sleep;

use crate::auth::{AuthRejection, Authenticating};
use crate::byte_budget::{Account, Held, SMALL};
use crate::check::cors::CorsHeaders;
use crate::job_answer::JobAnswer;
use crate::pipeline::{Admitted, BodyRules, Outcome, PendingAuth, Step};
use crate::rejection::Rejection;
use crate::response::ResponseBody;
use crate::session_answer::SessionAnswer;
use crate::session_verbs::SessionVerb;

pin_project! {
    /// The future of one response of [`HttpService`](crate::HttpService). Dropping it tells the reader or tool that the client is gone.
    pub struct ResponseFuture<B> {
        #[pin]
        state: State<B>,
        // Added to every response.
        cors: CorsHeaders,
    }
}

pin_project! {
    /// ```text
    /// Answered                       (rows 1 to 6, and a preflight)
    /// Authenticating ──identity──▶ one of the others  (row 3)
    /// Verb                           (GET and DELETE, in a session)
    /// Reading ──body──▶ a response at once
    ///    ├──body, job──▶ Running ──▶ a response
    ///    └──the same, in a session──▶ Waiting ──▶ a response
    /// ```
    #[project = StateProjection]
    enum State<B> {
        Answered { response: Option<Response<ResponseBody>> },
        Authenticating {
            authenticating: Authenticating,
            deadline: Option<Pin<Box<Sleep>>>,
            // What follows, and the body of the request.
            pending: Option<(Box<PendingAuth>, B)>,
        },
        Verb { verb: SessionVerb },
        Reading { #[pin] body: ReadBody<B>, admitted: Option<Admitted> },
        Running { answer: JobAnswer },
        Waiting { answer: SessionAnswer },
    }
}

const OVER: &str = "not polled after it was ready";

impl<B: Body> ResponseFuture<B> {
    pub(crate) fn new(step: Step, body: B, cors: CorsHeaders) -> Self {
        Self { state: State::new(step, body), cors }
    }
}

#[cfg(feature = "serve")]
impl<B> ResponseFuture<B> {
    /// A response that needs nothing of the request's body.
    pub(crate) fn answered(response: Response<ResponseBody>, cors: CorsHeaders) -> Self {
        Self { state: State::Answered { response: Some(response) }, cors }
    }
}

impl<B: Body> State<B> {
    fn new(step: Step, body: B) -> Self {
        match step {
            Step::Answer(response) => Self::Answered { response: Some(response) },
            Step::Authenticate(authenticating, pending) => {
                Self::Authenticating { authenticating, deadline: None, pending: Some((pending, body)) }
            }
            Step::Verb(verb) => Self::Verb { verb },
            Step::Read(admitted) => {
                Self::Reading { body: ReadBody::new(body, admitted.body_rules()), admitted: Some(admitted) }
            }
        }
    }

    /// Goes through the states to the response.
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Response<ResponseBody>> {
        loop {
            match self.as_mut().project() {
                StateProjection::Answered { response } => return Poll::Ready(response.take().expect(OVER)),
                StateProjection::Authenticating { authenticating, deadline, pending } => {
                    let time = pending.as_ref().expect(OVER).0.time();
                    let authenticated = ready!(in_time(authenticating, time, deadline, cx));
                    let (pending, body) = pending.take().expect(OVER);
                    self.set(Self::new(pending.resolve(authenticated), body));
                }
                StateProjection::Verb { verb } => return Poll::Ready(verb.answer()),
                StateProjection::Reading { body, admitted } => {
                    match ready!(body.poll(cx, || admitted.as_ref().expect(OVER).account())) {
                        Ok(body) => match admitted.take().expect(OVER).accept(&body) {
                            Outcome::Answer(response) => return Poll::Ready(response),
                            Outcome::Run(answer) => self.set(Self::Running { answer }),
                            Outcome::Wait(answer) => self.set(Self::Waiting { answer }),
                        },
                        Err(rejection) => return Poll::Ready(rejection.into_response()),
                    }
                }
                StateProjection::Running { answer } => return answer.poll(cx),
                StateProjection::Waiting { answer } => return answer.poll(cx),
            }
        }
    }
}

/// The authentication of a request, unless it takes too long. The clock starts at the first wait.
fn in_time(
    authenticating: &mut Authenticating,
    time: Duration,
    deadline: &mut Option<Pin<Box<Sleep>>>,
    cx: &mut Context<'_>,
) -> Poll<Result<Parts, AuthRejection>> {
    if let Poll::Ready(authenticated) = authenticating.as_mut().poll(cx) {
        return Poll::Ready(authenticated);
    }
    let deadline = deadline.get_or_insert_with(|| Box::pin(tokio::time::sleep(time)));
    deadline.as_mut().poll(cx).map(|()| Err(AuthRejection::unavailable("authentication took too long: try again")))
}

impl<B: Body> Future for ResponseFuture<B> {
    type Output = Result<Response<ResponseBody>, Infallible>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let mut response = ready!(this.state.poll(cx));
        this.cors.add_to(response.headers_mut());
        Poll::Ready(Ok(response))
    }
}

impl<B> fmt::Debug for ResponseFuture<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ResponseFuture")
    }
}

pin_project! {
    /// Reads one body.
    pub(crate) struct ReadBody<B> {
        #[pin]
        body: B,
        arrived: Arrived,
        rules: BodyRules,
        // Counts what has arrived once the body is pending, and the bytes of the head.
        held: Option<(Held, usize)>,
        // Started when the body is first pending, so that one that has arrived already costs no timer.
        deadline: Option<Pin<Box<Sleep>>>,
    }
}

impl<B: Body> ReadBody<B> {
    pub(crate) fn new(body: B, rules: BodyRules) -> Self {
        Self { body, arrived: Arrived::Nothing, rules, held: None, deadline: None }
    }

    /// `account`: where the bytes are counted, and how many of the head wait too.
    pub(crate) fn poll(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        account: impl Fn() -> (Account, usize),
    ) -> Poll<Result<Bytes, Rejection>> {
        loop {
            let mut this = self.as_mut().project();
            let limit = this.rules.limit;
            if exceeds(this.body.size_hint().lower(), limit.bytes.saturating_sub(this.arrived.len())) {
                return Poll::Ready(Err(Rejection::BodyTooLong(limit)));
            }
            if this.body.is_end_stream() {
                return Poll::Ready(keep(this.arrived.take(), this.held.take(), account));
            }
            match this.body.as_mut().poll_frame(cx) {
                Poll::Ready(None) => return Poll::Ready(keep(this.arrived.take(), this.held.take(), account)),
                Poll::Ready(Some(Err(_))) => return Poll::Ready(Err(Rejection::BodyBroken)),
                Poll::Ready(Some(Ok(frame))) => {
                    let Ok(data) = frame.into_data() else { continue };
                    if data.remaining() > limit.bytes.saturating_sub(this.arrived.len()) {
                        return Poll::Ready(Err(Rejection::BodyTooLong(limit)));
                    }
                    this.arrived.push(data, this.body.size_hint().lower());
                }
                Poll::Pending => {
                    let (counted, head) = this.held.get_or_insert_with(|| {
                        let (account, head) = account();
                        (account.open(), head)
                    });
                    if let Err(limit) = counted.grow_to(*head + this.arrived.len()) {
                        return Poll::Ready(Err(Rejection::NoRoom(limit)));
                    }
                    let time = this.rules.time;
                    let deadline = this.deadline.get_or_insert_with(|| Box::pin(tokio::time::sleep(time)));
                    return deadline.as_mut().poll(cx).map(|()| Err(Rejection::BodyTooSlow { limit: time }));
                }
            }
        }
    }
}

/// A body that has arrived. A large one is counted for as long as its request runs.
fn keep(body: Bytes, held: Option<(Held, usize)>, account: impl Fn() -> (Account, usize)) -> Result<Bytes, Rejection> {
    if body.len() <= SMALL {
        return Ok(body);
    }
    held.map_or_else(|| account().0.open(), |(held, _)| held).keep(body).map_err(Rejection::NoRoom)
}

fn exceeds(announced: u64, room: usize) -> bool {
    usize::try_from(announced).map_or(true, |announced| announced > room)
}

/// What has arrived: mostly one frame, which then stays what it is.
enum Arrived {
    Nothing,
    One(Bytes),
    Several(BytesMut),
}

impl Arrived {
    /// Adds a frame; `coming` more bytes are announced.
    fn push(&mut self, mut data: impl Buf, coming: u64) {
        /// Most bytes that are reserved because a `Content-Length` announces them.
        const TRUSTED: usize = 64 * 1024;
        *self = match std::mem::replace(self, Self::Nothing) {
            Self::Nothing => Self::One(data.copy_to_bytes(data.remaining())),
            Self::One(first) => {
                let coming = usize::try_from(coming).unwrap_or(TRUSTED).min(TRUSTED);
                let mut all = BytesMut::with_capacity(first.len() + data.remaining() + coming);
                all.extend_from_slice(&first);
                bytes::BufMut::put(&mut all, data);
                Self::Several(all)
            }
            Self::Several(mut all) => {
                bytes::BufMut::put(&mut all, data);
                Self::Several(all)
            }
        };
    }

    fn len(&self) -> usize {
        match self {
            Self::Nothing => 0,
            Self::One(bytes) => bytes.len(),
            Self::Several(bytes) => bytes.len(),
        }
    }

    fn take(&mut self) -> Bytes {
        match std::mem::replace(self, Self::Nothing) {
            Self::Nothing => Bytes::new(),
            Self::One(bytes) => bytes,
            Self::Several(bytes) => bytes.freeze(),
        }
    }
}
