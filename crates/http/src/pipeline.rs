//! **The one ordered list of checks that a request must pass**, however the service is mounted; the first that fails answers.
//!
//! | row | what is checked | where |
//! |---|---|---|
//! | 1, 2 | host, origin | [`receive`] |
//! | 3 | who sends it | [`receive`], or [`PendingAuth`] if that takes a while |
//! | 4 to 6 | method, `Content-Type`, `Accept` | [`admit`] |
//! | 7 | the body's length and time | `future.rs`, with [`Admitted::body_rules`] |
//! | 8 to 15 | message, revision and session, headers, metadata, method, parameters | [`Admitted::accept`], in the engine |
//!
//! The functions return the next [`Step`] and hold no body: `future.rs` alone does.

use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use bytes::Bytes;
use grange_core::{Accepted, ByteGuard, NewSession, Status, Wire};
use http::request::Parts;
use http::{Method, Response, Version};

use crate::auth::{self, AuthRejection, Authenticating};
use crate::byte_budget::{Account, Held, SMALL};
use crate::capacity::NoPermit;
use crate::check::proxies;
use crate::client_watch::{AnswerWatch, Gone};
use crate::head::{Accepts, HttpExchange, Inspected, head_size, inspect, session_id};
use crate::job_answer::JobAnswer;
use crate::principal::Principal;
use crate::rate::Rated;
use crate::rejection::{Allowed, Limit, Rejection};
use crate::response::{self, ResponseBody};
use crate::session_answer::SessionAnswer;
use crate::session_verbs::SessionVerb;
use crate::sessions::store::SessionGuard;
use crate::shared::Shared;
use crate::timed_job::{DetachableJob, Work};

/// The bytes of a body over HTTP/2 that the small server takes before they are read.
pub(crate) const STREAM_WINDOW: usize = 64 * 1024;

/// The verdict of rows 5 and 6: the kinds of response that the client accepts.
type Media = Result<Accepts, Rejection>;

/// What follows from the head of a request.
pub(crate) enum Step {
    /// The response.
    Answer(Response<ResponseBody>),
    /// Row 3 has to wait. Boxed, since it is rare and a step is copied for each request.
    Authenticate(Authenticating, Box<PendingAuth>),
    /// A request to a session that carries no message.
    Verb(SessionVerb),
    /// The body is to be read.
    Read(Admitted),
}

/// What follows from the body of a request.
pub(crate) enum Outcome {
    /// The response.
    Answer(Response<ResponseBody>),
    /// A job that the response waits for.
    Run(JobAnswer),
    /// The same in a session, where it runs in a task of its own.
    Wait(SessionAnswer),
}

/// Rows 1 to 3, and the rows after them up to the first that has to wait. `proxied`: the request was sent by a trusted proxy.
pub(crate) fn receive(shared: &Arc<Shared>, mut head: Parts, proxied: bool, client: AnswerWatch) -> Step {
    let media = match check_head(shared, &mut head, proxied) {
        Ok(media) => media,
        Err(rejection) => return Step::Answer(rejection.into_response()), // rows 1 and 2
    };
    if head.method == Method::OPTIONS
        && let Some(response) = preflight(shared, &head)
    {
        return Step::Answer(response);
    }
    if let Err(limit) = hold_head(shared, &mut head) {
        return Step::Answer(Rejection::NoRoom(limit).into_response());
    }
    let Some(authentication) = &shared.options.authenticator else { return admit(shared, head, media, client) };
    let waiting = waiting_bytes(&head);
    let mut authenticating = auth::authenticate(&authentication.0, head);
    // It is usually ready at once. If not, the task of the response polls it again.
    match authenticating.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(authenticated) => identified(shared, authenticated, media, client),
        Poll::Pending => {
            let counted = match shared.capacity.account(None).hold(waiting) {
                Ok(counted) => counted,
                Err(limit) => return Step::Answer(Rejection::NoRoom(limit).into_response()),
            };
            client.wait(Gone::AtReset);
            Step::Authenticate(
                authenticating,
                Box::new(PendingAuth { shared: shared.clone(), media, client, _head: counted }),
            )
        }
    }
}

/// The response at a path where nothing is served: 404, after the same Host and Origin checks, with the same CORS headers.
#[cfg(feature = "serve")]
pub(crate) fn receive_elsewhere(
    shared: &Shared,
    mut head: Parts,
    proxied: bool,
    served: &str,
) -> Response<ResponseBody> {
    match check_head(shared, &mut head, proxied) {
        Ok(_) => preflight(shared, &head).unwrap_or_else(|| {
            Rejection::Path { asked: head.uri.path().to_owned(), served: served.to_owned() }.into_response()
        }),
        Err(rejection) => rejection.into_response(),
    }
}

/// Rows 1 and 2. Also returns the verdict of rows 5 and 6, since their headers are looked up in the same pass.
fn check_head(shared: &Shared, head: &mut Parts, proxied: bool) -> Result<Media, Rejection> {
    let Inspected { host, origin, media } = inspect(&head.headers);
    let options = &shared.options;
    let forwarded = if proxied { proxies::forwarded_origin(&head.headers)? } else { None };
    options.hosts.check(head, host, forwarded.as_ref().map(|origin| &origin.host))?; // row 1
    options.origins.check(origin)?; // row 2
    if let Some(forwarded) = forwarded {
        head.extensions.insert(forwarded);
    }
    Ok(media)
}

/// Counts a head over HTTP/2, where a few bytes on the wire become a large one, for as long as anything keeps it.
fn hold_head(shared: &Shared, head: &mut Parts) -> Result<(), Limit> {
    if head.version == Version::HTTP_2 {
        let counted = shared.capacity.account(Some(head)).hold(head_size(head))?;
        head.extensions.insert(ByteGuard::new(counted));
    }
    Ok(())
}

/// The bytes of a request that wait while its sender is not known: over HTTP/1 a large head, over HTTP/2 as much of the body as arrives
/// before it is read.
fn waiting_bytes(head: &Parts) -> usize {
    if head.version == Version::HTTP_2 { STREAM_WINDOW } else { uncounted_bytes(head) }
}

/// The bytes of a head that wait with it, if they are not counted yet: those of a large one over HTTP/1.
fn uncounted_bytes(head: &Parts) -> usize {
    if head.version == Version::HTTP_2 { 0 } else { Some(head_size(head)).filter(|bytes| *bytes > SMALL).unwrap_or(0) }
}

/// The response to a CORS preflight; `None` if the request is none.
fn preflight(shared: &Shared, head: &Parts) -> Option<Response<ResponseBody>> {
    let options = &shared.options;
    let credentials = options.authenticator.as_ref().map(|authentication| authentication.0.header());
    let methods = if shared.sessions.is_some() { Allowed::PostDeleteGet } else { Allowed::Post };
    options.cors.preflight(head, methods.list(), credentials.as_ref()).map(response::preflight)
}

/// A request whose sender is not known yet.
pub(crate) struct PendingAuth {
    shared: Arc<Shared>,
    media: Media,
    client: AnswerWatch,
    /// Counts the head, which the authenticator has.
    _head: Held,
}

impl PendingAuth {
    /// How long it may take to find out who sends the request.
    pub(crate) fn time(&self) -> Duration {
        self.shared.options.read_timeout
    }

    /// Row 3, and what follows.
    pub(crate) fn resolve(self, authenticated: Result<Parts, AuthRejection>) -> Step {
        identified(&self.shared, authenticated, self.media, self.client)
    }
}

/// Row 3, and what follows. The head has the identity in it.
fn identified(
    shared: &Arc<Shared>,
    authenticated: Result<Parts, AuthRejection>,
    media: Media,
    client: AnswerWatch,
) -> Step {
    match authenticated {
        Ok(head) => admit(shared, head, media, client),
        Err(rejection) => Step::Answer(rejection.into_response()),
    }
}

/// Rows 4 to 6.
fn admit(shared: &Arc<Shared>, head: Parts, media: Media, client: AnswerWatch) -> Step {
    if head.method != Method::POST {
        if shared.sessions.is_some() && SessionVerb::is(&head.method) {
            return Step::Verb(SessionVerb::new(shared.clone(), head, client)); // rows 6 and 9
        }
        let rejection = Rejection::Method { method: head.method, allowed: allowed(shared) };
        return Step::Answer(rejection.into_response()); // row 4
    }
    match media {
        Err(rejection) => Step::Answer(rejection.into_response()), // rows 5 and 6
        // Do not read a body that would be rejected as busy. **The permit itself is taken once the body has arrived**: a slow sender
        // takes no room from others.
        Ok(accepts) => match shared.capacity.check_room_for_request(head.extensions.get()) {
            Ok(()) => Step::Read(Admitted { shared: shared.clone(), head, accepts, client }),
            Err(no_permit) => Step::Answer(busy(shared, no_permit)),
        },
    }
}

fn busy(shared: &Shared, no_permit: NoPermit) -> Response<ResponseBody> {
    Rejection::Busy(shared.requests_full(no_permit)).into_response()
}

/// The methods that a client may use, if it keeps to row 9 as well.
fn allowed(shared: &Shared) -> Allowed {
    match shared.sessions {
        None => Allowed::Post,
        Some(_) if shared.has_standalone_streams() => Allowed::PostDeleteGet,
        Some(_) => Allowed::PostDelete,
    }
}

/// What one body may be.
pub(crate) struct BodyRules {
    pub(crate) limit: Limit,
    pub(crate) time: Duration,
}

/// A request with a message, which is still to be read.
pub(crate) struct Admitted {
    shared: Arc<Shared>,
    head: Parts,
    accepts: Accepts,
    client: AnswerWatch,
}

impl Admitted {
    /// Row 7. The client's answer to a request from the server may be longer than other messages.
    pub(crate) fn body_rules(&self) -> BodyRules {
        let limits = self.shared.server.limits();
        let is_awaited = self
            .shared
            .sessions
            .as_ref()
            .is_some_and(|sessions| sessions.awaits_answer(session_id(&self.head), self.head.extensions.get()));
        let limit = if is_awaited && limits.answer_bytes > limits.message_bytes {
            Limit { bytes: limits.answer_bytes, setting: "Limits::answer_bytes" }
        } else {
            Limit { bytes: limits.message_bytes, setting: "Limits::message_bytes" }
        };
        BodyRules { limit, time: self.shared.options.read_timeout }
    }

    /// Where the bytes of the body are counted, and those of the head that wait with it.
    pub(crate) fn account(&self) -> (Account, usize) {
        (self.shared.capacity.account(Some(&self.head)), uncounted_bytes(&self.head))
    }

    /// The rest of the list, rows 8 to 15, which the engine checks. For row 9 it uses the exchange.
    pub(crate) fn accept(self, body: &Bytes) -> Outcome {
        let Self { shared, head, accepts, client } = self;
        let principal = head.extensions.get::<Principal>();
        let permit = match shared.capacity.permit_request(principal) {
            Ok(permit) => permit,
            Err(no_permit) => return Outcome::Answer(busy(&shared, no_permit)),
        };
        let exchange = HttpExchange::new(&head, accepts, shared.sessions.as_ref());
        let accepted = match &shared.options.rate {
            None => shared.server.accept(body, &exchange),
            Some(rate) => shared.server.accept(body, &Rated { exchange: &exchange, rate, head: &head }),
        };
        match accepted {
            Accepted::Open(opening) => Outcome::Answer(open_session(&shared, &head, opening, accepts)),
            Accepted::Send(wire, status) => Outcome::Answer(send(&shared, &head, wire, &status, accepts)),
            Accepted::Silent => Outcome::Answer(response::accepted()),
            Accepted::Run(mut job) => {
                let (session, principal) = (exchange.into_session(), principal.cloned());
                job.set_peer(Arc::new(head));
                job.set_permits(shared.permits.clone());
                let work = Work { job, permit, client };
                run(shared, work, (session, principal), accepts)
            }
        }
    }
}

/// The response with an answer, counted until the client has read it.
fn send(shared: &Shared, head: &Parts, wire: Wire, status: &Status, accepts: Accepts) -> Response<ResponseBody> {
    let hold = |bytes| shared.capacity.account(Some(head)).hold(bytes).map(ByteGuard::new);
    match wire.held(hold) {
        Ok(wire) => response::answer(wire, status, accepts, &shared.options),
        Err(limit) => Rejection::NoRoom(limit).into_response(),
    }
}

fn run(
    shared: Arc<Shared>,
    work: Work,
    (session, principal): (Option<SessionGuard>, Option<Principal>),
    accepts: Accepts,
) -> Outcome {
    match session {
        Some(session) => Outcome::Wait(SessionAnswer::start(work, session, accepts, shared)),
        None if work.job.needs_stream() => Outcome::Answer(hold_stream(&shared, work, principal.as_ref(), accepts)),
        None => Outcome::Run(JobAnswer::new(DetachableJob::new(work), accepts, shared)),
    }
}

/// A job that only sends events: its stream is held under a permit of its own.
fn hold_stream(shared: &Shared, work: Work, principal: Option<&Principal>, accepts: Accepts) -> Response<ResponseBody> {
    if !accepts.stream {
        return Rejection::NeedsStream.into_response();
    }
    match shared.capacity.permit_stream(principal) {
        Ok(permit) => {
            let job = DetachableJob::new(Work { permit, ..work });
            response::job_stream(shared.job_stream(job, None))
        }
        Err(no_permit) => Rejection::TooManyStreams(shared.streams_full(no_permit)).into_response(),
    }
}

/// Keeps the session that a handshake opened, if there is room.
fn open_session(shared: &Shared, head: &Parts, opening: NewSession, accepts: Accepts) -> Response<ResponseBody> {
    let options = &shared.options;
    match shared.sessions.as_ref().map(|sessions| sessions.open(head, opening.session().clone())) {
        Some(Ok(id)) => response::opened(opening.accept().0, id, accepts, options),
        Some(Err(no_room)) => response::too_many_sessions(no_room, &opening),
        None => response::answer(opening.accept().0, &Status::Ok, accepts, options),
    }
}
