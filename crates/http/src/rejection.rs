//! The statuses: **the only file that knows an HTTP status number**, for what the transport refuses itself and for how
//! the engine rates its answers.
//!
//! A refusal says what to change: to the caller where the request is at fault, to the author where a setting is.

use std::borrow::Cow;
use std::time::Duration;

use bytes::Bytes;
use grange_core::{Opening, Refusal, Server, Wire};
use http::header::{
    ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE,
};
use http::{Method, Response, StatusCode};

use crate::auth::Denied;
use crate::body::ResponseBody;
use crate::check::media::Accepts;
use crate::config::Options;
use crate::read_body::Limit;
use crate::sessions::id::SessionId;
use crate::sessions::table::Full;
use crate::sse;
use crate::telemetry::{self, Excerpt, Field, Seen};

/// Why the transport refuses a request before the engine sees it.
#[derive(Debug)]
pub(crate) enum Refused {
    BodyBroken,
    BodyTooLong(Limit),
    BodyTooSlow {
        limit: Duration,
    },
    Busy {
        limit: usize,
    },
    Denied(Denied),
    /// The event that a client wants to come back after is none, or not what follows is all there.
    CannotResume,
    ContentEncoding(Option<Box<[u8]>>),
    ContentType(Option<Box<[u8]>>),
    /// What a trusted proxy says of the client's request is not one host and one scheme.
    Forwarded(Option<Box<[u8]>>),
    Host(String),
    Method {
        method: Method,
        allowed: Allowed,
    },
    NeedsStream,
    /// None, several, or two that differ.
    NoSingleHost(Option<String>),
    NotAcceptable(Option<Box<[u8]>>),
    NothingToPush,
    OnlyGet(Method),
    Origin(String),
    #[cfg(feature = "serve")]
    Path {
        asked: String,
        served: String,
    },
    TooManySessions(Full),
    TooManyStreams {
        limit: usize,
    },
}

/// The methods that are allowed at the endpoint.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Allowed {
    /// No sessions are kept.
    Post,
    PostDelete,
    /// The server can push, so a session may have a stream that answers no request.
    PostDeleteGet,
}

impl Allowed {
    fn list(self) -> &'static str {
        match self {
            Self::Post => "POST",
            Self::PostDelete => "POST, DELETE",
            Self::PostDeleteGet => "GET, POST, DELETE",
        }
    }
}

impl Refused {
    /// The response, of which whoever watches is told.
    pub(crate) fn into_response(self) -> Response<ResponseBody> {
        self.tell();
        let mut response = json(self.status(), Server::refuse(&self.message()));
        let more = match self {
            Self::ContentEncoding(_) => Some((ACCEPT_ENCODING, HeaderValue::from_static("identity"))),
            Self::Denied(Denied { challenge, .. }) => challenge.map(|challenge| (WWW_AUTHENTICATE, challenge)),
            Self::Method { allowed, .. } => Some((ALLOW, HeaderValue::from_static(allowed.list()))),
            Self::NothingToPush => Some((ALLOW, HeaderValue::from_static(Allowed::PostDelete.list()))),
            Self::OnlyGet(_) => Some((ALLOW, HeaderValue::from_static("GET, HEAD, OPTIONS"))),
            _ => None,
        };
        response.headers_mut().extend(more);
        response
    }

    fn tell(&self) {
        telemetry::refused(self.reason(), self.status().as_u16(), self.seen().as_ref());
    }

    /// What of the request it was, for the operator. No header that may have a token or a session in it.
    fn seen(&self) -> Option<Seen<'_>> {
        let (field, excerpt) = match self {
            Self::ContentEncoding(sent) => (Field::ContentEncoding, Excerpt::of(sent.as_deref()?)),
            Self::ContentType(sent) => (Field::ContentType, Excerpt::of(sent.as_deref()?)),
            Self::Forwarded(sent) => (Field::Forwarded, Excerpt::of_host(sent.as_deref()?)),
            Self::Host(host) | Self::NoSingleHost(Some(host)) => (Field::Host, Excerpt::of_host(host)),
            Self::Method { method, .. } | Self::OnlyGet(method) => (Field::Method, Excerpt::of(method.as_str())),
            Self::NotAcceptable(sent) => (Field::Accept, Excerpt::of(sent.as_deref()?)),
            Self::Origin(origin) => (Field::Origin, Excerpt::of_host(origin)),
            #[cfg(feature = "serve")]
            Self::Path { asked, .. } => (Field::Path, Excerpt::of(asked)),
            Self::TooManySessions(full) => (Field::Sessions, Excerpt::of(full.whose())),
            _ => return None,
        };
        Some(Seen { field, excerpt })
    }

    fn reason(&self) -> &'static str {
        match self {
            Self::BodyBroken => "body_broken",
            Self::BodyTooLong(_) => "body_too_long",
            Self::BodyTooSlow { .. } => "body_too_slow",
            Self::Busy { .. } => "busy",
            Self::CannotResume => "cannot_resume",
            Self::ContentEncoding(_) => "content_encoding",
            Self::ContentType(_) => "content_type",
            Self::Denied(_) => "denied",
            Self::Forwarded(_) => "forwarded",
            Self::Host(_) | Self::NoSingleHost(_) => "host",
            Self::Method { .. } | Self::NothingToPush | Self::OnlyGet(_) => "method",
            Self::NeedsStream | Self::NotAcceptable(_) => "accept",
            Self::Origin(_) => "origin",
            #[cfg(feature = "serve")]
            Self::Path { .. } => "path",
            Self::TooManySessions(_) => "too_many_sessions",
            Self::TooManyStreams { .. } => "too_many_streams",
        }
    }

    fn status(&self) -> StatusCode {
        match self {
            Self::BodyBroken | Self::CannotResume | Self::Forwarded(_) | Self::NoSingleHost(_) => {
                StatusCode::BAD_REQUEST
            }
            Self::BodyTooLong(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::BodyTooSlow { .. } => StatusCode::REQUEST_TIMEOUT,
            Self::Busy { .. } | Self::TooManySessions(_) | Self::TooManyStreams { .. } => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::ContentEncoding(_) | Self::ContentType(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Denied(denied) => denied.status,
            Self::Host(_) | Self::Origin(_) => StatusCode::FORBIDDEN,
            Self::Method { .. } | Self::NothingToPush | Self::OnlyGet(_) => StatusCode::METHOD_NOT_ALLOWED,
            Self::NeedsStream | Self::NotAcceptable(_) => StatusCode::NOT_ACCEPTABLE,
            #[cfg(feature = "serve")]
            Self::Path { .. } => StatusCode::NOT_FOUND,
        }
    }

    fn message(&self) -> Cow<'static, str> {
        match self {
            Self::BodyBroken => "the body ended early or could not be read".into(),
            Self::BodyTooLong(Limit { bytes, setting }) => {
                format!("the body is longer than {bytes} bytes: send less, or raise `{setting}`").into()
            }
            Self::BodyTooSlow { limit } => {
                format!("the body took longer than {} ms: raise `.read_timeout(…)`", limit.as_millis()).into()
            }
            Self::Busy { limit } => busy(&format!("{limit} in flight"), "requests_in_flight").into(),
            Self::CannotResume => "what follows the event in Last-Event-ID is not kept, or not any more: send the \
                                   request again, and raise `Limits::session_bytes` to keep more"
                .into(),
            Self::ContentEncoding(_) => {
                "the body must come as it is: without Content-Encoding, or with `identity`".into()
            }
            Self::ContentType(_) => "the body must come with one Content-Type, application/json".into(),
            Self::Denied(denied) => denied.message.clone().into(),
            Self::Forwarded(_) => {
                "X-Forwarded-Host and X-Forwarded-Proto must come once each, with one host and with http or \
                                https: have the proxy set them, in place of what the client sent"
                    .into()
            }
            Self::Host(host) => refused_host(host).into(),
            Self::Method { method, allowed: Allowed::Post } => {
                format!("{method} is not allowed: POST one JSON-RPC message; this server keeps no sessions").into()
            }
            Self::Method { method, .. } => {
                let sessions = "GET and DELETE are for sessions, which this protocol revision may not have";
                format!("{method} is not allowed: POST one JSON-RPC message; {sessions}").into()
            }
            Self::NeedsStream => "only an event stream can carry the answer: add text/event-stream to Accept".into(),
            Self::NoSingleHost(_) => "the request must name exactly one host, in Host or :authority".into(),
            Self::NotAcceptable(_) => "Accept must allow application/json or text/event-stream".into(),
            Self::NothingToPush => {
                "this server says nothing but answers: GET is only for a stream that was lost".into()
            }
            Self::OnlyGet(method) => format!("{method} is not allowed: GET reads this document").into(),
            Self::Origin(origin) => refused_origin(origin).into(),
            #[cfg(feature = "serve")]
            Self::Path { asked, served } => {
                format!("nothing is served at {:?}: the endpoint is {served:?}, set by `.path(…)`", cut(asked)).into()
            }
            Self::TooManySessions(full @ Full::InAll) => busy(full.whose(), "sessions").into(),
            Self::TooManySessions(full @ Full::OfPrincipal) => busy(full.whose(), "sessions_per_principal").into(),
            Self::TooManyStreams { limit } => busy(&format!("{limit} event streams are open"), "streams").into(),
        }
    }
}

/// There is no room, which passes. A host looks for these very words, and takes a 503 without them for a server that is gone, which it
/// starts again.
fn busy(what: &str, setting: &str) -> String {
    format!("Server busy: too many requests at once ({what}): try again, or raise `Limits::{setting}`")
}

fn refused_host(host: &str) -> String {
    let host = cut(host);
    format!(
        "host {host:?} is not allowed: name it with `.public_hosts([{host:?}])`, or say `.behind_proxy()` if a proxy in \
         front checks it"
    )
}

fn refused_origin(origin: &str) -> String {
    match cut(origin) {
        "null" => "origin \"null\" is never allowed: serve the page from an origin for `.allow_origins(…)`".into(),
        origin => format!(
            "origin {origin:?} is not allowed: name it with `.cors([{origin:?}])`, so that its pages may ask and read, or with \
             `.allow_origins([{origin:?}])`, so that they may ask"
        ),
    }
}

/// The beginning of what a caller sent, enough to recognise it.
fn cut(text: &str) -> &str {
    text.char_indices().nth(100).and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

/// There is no room for one more session. The request was read, so its id comes back.
pub(crate) fn too_many_sessions(full: Full, opening: &Opening) -> Response<ResponseBody> {
    let refused = Refused::TooManySessions(full);
    refused.tell();
    json(refused.status(), opening.refuse(&refused.message()))
}

/// The status that stands for the engine's rating.
fn status(refusal: &Refusal) -> StatusCode {
    match refusal {
        Refusal::None => StatusCode::OK,
        Refusal::NoSuchMethod | Refusal::NoSuchSession => StatusCode::NOT_FOUND,
        Refusal::Busy => StatusCode::SERVICE_UNAVAILABLE,
        Refusal::MissingScopes(_) => StatusCode::FORBIDDEN,
        // Whatever is added later is the request's fault until this file knows better.
        _ => StatusCode::BAD_REQUEST,
    }
}

/// The answer to a request. Refusals are JSON whatever the client takes.
pub(crate) fn answer(wire: Wire, refusal: &Refusal, accepts: Accepts, options: &Options) -> Response<ResponseBody> {
    match refusal {
        Refusal::None if !accepts.json => stream(ResponseBody::fixed(sse::event(wire))),
        refusal => {
            let mut response = json(status(refusal), wire);
            if let (Refusal::MissingScopes(scopes), Some(authentication)) = (refusal, &options.authenticator) {
                response.headers_mut().insert(WWW_AUTHENTICATE, authentication.0.step_up(scopes));
            }
            response
        }
    }
}

/// An event stream.
pub(crate) fn stream(body: ResponseBody) -> Response<ResponseBody> {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    response
}

/// The answer that opens a session.
pub(crate) fn opened(wire: Wire, id: SessionId, accepts: Accepts, options: &Options) -> Response<ResponseBody> {
    let mut response = answer(wire, &Refusal::None, accepts, options);
    if let Ok(id) = HeaderValue::try_from(id.to_string()) {
        response.headers_mut().insert(HeaderName::from_static("mcp-session-id"), id);
    }
    response
}

/// A session is over, as was asked for.
pub(crate) fn ended() -> Response<ResponseBody> {
    let mut response = Response::new(ResponseBody::fixed([]));
    *response.status_mut() = StatusCode::NO_CONTENT;
    response
}

/// A document of ours that anybody may read, and keep for a while.
pub(crate) fn document(body: Bytes) -> Response<ResponseBody> {
    let mut response = Response::new(ResponseBody::fixed([body]));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("max-age=3600"));
    response
}

/// Nothing to say.
pub(crate) fn silent() -> Response<ResponseBody> {
    let mut response = Response::new(ResponseBody::fixed([]));
    *response.status_mut() = StatusCode::ACCEPTED;
    response
}

fn json(status: StatusCode, wire: Wire) -> Response<ResponseBody> {
    let mut response = Response::new(ResponseBody::fixed(wire.into_parts()));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}
