//! Responses: **the only file that writes one**, and the status of each.
//!
//! The CORS headers, which every response gets, are added by its future and by `metadata.rs`.

use bytes::Bytes;
use grange_core::{NewSession, Server, Status, Wire};
use http::header::{
    ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE,
};
use http::{Response, StatusCode};

use crate::auth::AuthRejection;
use crate::body::ResponseBody;
use crate::check::media::Accepts;
use crate::headers::{ACCEL_BUFFERING, SESSION_ID};
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
