//! Responses: **the only file that writes one**, the status of each, and their bodies: complete byte strings, the event stream of a job,
//! or an event stream of a session.
//!
//! The CORS headers, which every response gets, are added by its future and by `metadata.rs`.

use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::sync::Mutex;
use std::task::{Context, Poll};
use std::vec;

use bytes::Bytes;
use grange_core::{NewSession, Server, Status, Wire};
use http::header::{
    ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE,
};
use http::{Response, StatusCode};
use http_body::{Body, Frame, SizeHint};

use crate::auth::AuthRejection;
use crate::head::Accepts;
use crate::head::{ACCEL_BUFFERING, SESSION_ID};
use crate::lock::inside;
use crate::options::Options;
use crate::rejection::{Allowed, Rejection};
use crate::session_stream::SessionStream;
use crate::sessions::id::SessionId;
use crate::sessions::table::NoRoom;
use crate::sse;
use crate::stream::JobStream;
use crate::telemetry;

const JSON: HeaderValue = HeaderValue::from_static("application/json");

impl Rejection {
    /// The response. The rejection is recorded in the log and the metrics.
    pub(crate) fn into_response(self) -> Response<ResponseBody> {
        record(&self);
        let mut response = json(self.status(), Server::refuse(&self.message()));
        let more = match self {
            Self::Auth(AuthRejection { challenge, .. }) => challenge.map(|challenge| (WWW_AUTHENTICATE, challenge)),
            Self::ContentEncoding(_) => Some((ACCEPT_ENCODING, HeaderValue::from_static("identity"))),
            Self::Method { allowed, .. } => Some((ALLOW, HeaderValue::from_static(allowed.list()))),
            Self::NothingToPush => Some((ALLOW, HeaderValue::from_static(Allowed::PostDelete.list()))),
            Self::OnlyGet(_) => Some((ALLOW, HeaderValue::from_static("GET, HEAD, OPTIONS"))),
            _ => None,
        };
        response.headers_mut().extend(more);
        response
    }
}

impl AuthRejection {
    /// The response that the service would give: for a middleware that runs an authenticator itself.
    pub fn into_response(self) -> Response<ResponseBody> {
        Rejection::Auth(self).into_response()
    }
}

fn record(rejection: &Rejection) {
    telemetry::record_rejection(rejection.reason(), rejection.status().as_u16(), rejection.rejected_field().as_ref());
}

/// There is no room for the session that a handshake would open. The request was read, so its id goes back with the rejection.
pub(crate) fn too_many_sessions(no_room: NoRoom, opening: &NewSession) -> Response<ResponseBody> {
    let rejection = Rejection::TooManySessions(no_room);
    record(&rejection);
    json(rejection.status(), opening.refuse(&rejection.message()))
}

/// The status for the engine's rating of an answer.
fn status_code(status: &Status) -> StatusCode {
    match status {
        Status::Ok => StatusCode::OK,
        Status::NoSuchMethod | Status::NoSuchSession => StatusCode::NOT_FOUND,
        Status::Busy => StatusCode::SERVICE_UNAVAILABLE,
        Status::MissingScopes(_) => StatusCode::FORBIDDEN,
        // A rating that core adds later counts as an error of the request until it is listed here.
        _ => StatusCode::BAD_REQUEST,
    }
}

/// The answer to a request. Errors that have a status of their own are JSON, whatever the client accepts.
pub(crate) fn answer(wire: Wire, status: &Status, accepts: Accepts, options: &Options) -> Response<ResponseBody> {
    match status {
        Status::Ok if !accepts.json => event_stream(ResponseBody::fixed(sse::event(wire))),
        status => {
            let mut response = json(status_code(status), wire);
            if let (Status::MissingScopes(scopes), Some(authentication)) = (status, &options.authenticator) {
                response.headers_mut().insert(WWW_AUTHENTICATE, authentication.0.step_up(scopes));
            }
            response
        }
    }
}

/// The answer that opens a session.
pub(crate) fn opened(wire: Wire, id: SessionId, accepts: Accepts, options: &Options) -> Response<ResponseBody> {
    let mut response = answer(wire, &Status::Ok, accepts, options);
    if let Ok(id) = HeaderValue::try_from(id.to_string()) {
        response.headers_mut().insert(SESSION_ID, id);
    }
    response
}

/// An event stream that a job writes, without a session.
pub(crate) fn job_stream(stream: JobStream) -> Response<ResponseBody> {
    event_stream(ResponseBody::stream(stream))
}

/// An event stream of a session.
pub(crate) fn session_stream(stream: SessionStream) -> Response<ResponseBody> {
    event_stream(ResponseBody::session(stream))
}

/// An event stream that ends without an event.
pub(crate) fn empty_stream() -> Response<ResponseBody> {
    event_stream(ResponseBody::fixed([]))
}

fn event_stream(body: ResponseBody) -> Response<ResponseBody> {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(ACCEL_BUFFERING, HeaderValue::from_static("no"));
    response
}

/// The response to a message that has no answer.
pub(crate) fn accepted() -> Response<ResponseBody> {
    empty(StatusCode::ACCEPTED)
}

/// The session was ended, as requested.
pub(crate) fn session_ended() -> Response<ResponseBody> {
    empty(StatusCode::NO_CONTENT)
}

/// The response to a CORS preflight: what it allows is in these headers.
pub(crate) fn preflight(headers: HeaderMap) -> Response<ResponseBody> {
    let mut response = empty(StatusCode::NO_CONTENT);
    *response.headers_mut() = headers;
    response
}

/// A public document, which may be cached for an hour.
pub(crate) fn document(body: Bytes) -> Response<ResponseBody> {
    let mut response = Response::new(ResponseBody::fixed([body]));
    response.headers_mut().insert(CONTENT_TYPE, JSON);
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("max-age=3600"));
    response
}

fn empty(status: StatusCode) -> Response<ResponseBody> {
    let mut response = Response::new(ResponseBody::fixed([]));
    *response.status_mut() = status;
    response
}

fn json(status: StatusCode, wire: Wire) -> Response<ResponseBody> {
    let mut response = Response::new(ResponseBody::fixed(wire.into_parts()));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, JSON);
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}

/// The body of a response. Dropping it before its end tells the reader or tool that the client is gone.
pub struct ResponseBody(Kind);

enum Kind {
    /// Mostly one byte string; the length is known and becomes `Content-Length`.
    Fixed {
        first: Bytes,
        rest: vec::IntoIter<Bytes>,
    },
    /// Only the body's owner has the mutex, so it is never locked: it makes the body `Sync`, as some frameworks require.
    Stream(Mutex<Box<JobStream>>),
    Session(Mutex<Box<SessionStream>>),
}

impl ResponseBody {
    pub(crate) fn fixed(parts: impl IntoIterator<Item = Bytes>) -> Self {
        let mut parts = parts.into_iter();
        let first = parts.next().unwrap_or_default();
        Self(Kind::Fixed { first, rest: parts.collect::<Vec<_>>().into_iter() })
    }

    pub(crate) fn stream(stream: JobStream) -> Self {
        Self(Kind::Stream(Mutex::new(Box::new(stream))))
    }

    pub(crate) fn session(stream: SessionStream) -> Self {
        Self(Kind::Session(Mutex::new(Box::new(stream))))
    }
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let polled = match &mut self.get_mut().0 {
            Kind::Fixed { first, rest } if first.is_empty() => Poll::Ready(rest.next()),
            Kind::Fixed { first, .. } => Poll::Ready(Some(std::mem::take(first))),
            Kind::Stream(stream) => inside(stream).poll(cx),
            Kind::Session(stream) => inside(stream).poll(cx),
        };
        polled.map(|data| data.map(|data| Ok(Frame::data(data))))
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Kind::Fixed { first, rest } => first.is_empty() && rest.as_slice().is_empty(),
            Kind::Stream(_) | Kind::Session(_) => false,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Kind::Fixed { first, rest } => {
                let length = first.len() + rest.as_slice().iter().map(Bytes::len).sum::<usize>();
                SizeHint::with_exact(length as u64)
            }
            Kind::Stream(_) | Kind::Session(_) => SizeHint::default(),
        }
    }
}

impl fmt::Debug for ResponseBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Kind::Fixed { .. } => "ResponseBody(fixed)",
            Kind::Stream(_) | Kind::Session(_) => "ResponseBody(stream)",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::ResponseBody;

    #[test]
    fn every_framework_takes_the_body() {
        fn takes<T: Send + Sync + Unpin + 'static>() {}
        takes::<ResponseBody>();
    }
}
