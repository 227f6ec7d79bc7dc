//! The statuses: **the only file that knows an HTTP status number**, for what the transport refuses itself and for how
//! the engine rates its answers.
//!
//! A refusal says what to change: to the caller where the request is at fault, to the author where a setting is.

use std::borrow::Cow;
use std::time::Duration;

use grange_core::{Refusal, Server, Wire};
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER};
use http::{Method, Response, StatusCode};

use crate::body::ResponseBody;
use crate::media::Accepts;
use crate::sse;

/// Why the transport refuses a request before the engine sees it.
#[derive(Debug)]
pub(crate) enum Refused {
    BodyBroken,
    BodyTooLong {
        limit: usize,
    },
    BodyTooSlow {
        limit: Duration,
    },
    Busy {
        limit: usize,
    },
    ContentEncoding,
    ContentType,
    Host(String),
    Method(Method),
    NeedsStream,
    /// None, several, or two that differ.
    NoSingleHost,
    NotAcceptable,
    Origin(String),
    #[cfg(feature = "serve")]
    Path {
        asked: String,
        served: String,
    },
    TooManyStreams {
        limit: usize,
    },
}

impl Refused {
    pub(crate) fn into_response(self) -> Response<ResponseBody> {
        let mut response = json(self.status(), Server::refuse(&self.message()));
        if let Self::Method(_) = self {
            response.headers_mut().insert(ALLOW, HeaderValue::from_static("POST"));
        }
        response
    }

    fn status(&self) -> StatusCode {
        match self {
            Self::BodyBroken | Self::NoSingleHost => StatusCode::BAD_REQUEST,
            Self::BodyTooLong { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::BodyTooSlow { .. } => StatusCode::REQUEST_TIMEOUT,
            Self::Busy { .. } | Self::TooManyStreams { .. } => StatusCode::SERVICE_UNAVAILABLE,
            Self::ContentEncoding | Self::ContentType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Host(_) | Self::Origin(_) => StatusCode::FORBIDDEN,
            Self::Method(_) => StatusCode::METHOD_NOT_ALLOWED,
            Self::NeedsStream | Self::NotAcceptable => StatusCode::NOT_ACCEPTABLE,
            #[cfg(feature = "serve")]
            Self::Path { .. } => StatusCode::NOT_FOUND,
        }
    }

    fn message(&self) -> Cow<'static, str> {
        match self {
            Self::BodyBroken => "the body ended early or could not be read".into(),
            Self::BodyTooLong { limit } => {
                format!("the body is longer than {limit} bytes: send less, or raise `Limits::message_bytes`").into()
            }
            Self::BodyTooSlow { limit } => {
                format!("the body took longer than {} ms: raise `.read_timeout(…)`", limit.as_millis()).into()
            }
            Self::Busy { limit } => {
                format!("{limit} requests are in flight: try again, or raise `Limits::requests_in_flight`").into()
            }
            Self::ContentEncoding => "the body must come without Content-Encoding".into(),
            Self::ContentType => "the body must come with one Content-Type, application/json".into(),
            Self::Host(host) => refused_host(host).into(),
            Self::Method(method) => {
                format!("{method} is not allowed: POST one JSON-RPC message; this server keeps no sessions").into()
            }
            Self::NeedsStream => "only an event stream can carry the answer: add text/event-stream to Accept".into(),
            Self::NoSingleHost => "the request must name exactly one host, in Host or :authority".into(),
            Self::NotAcceptable => "Accept must allow application/json or text/event-stream".into(),
            Self::Origin(origin) => refused_origin(origin).into(),
            #[cfg(feature = "serve")]
            Self::Path { asked, served } => {
                format!("nothing is served at {:?}: the endpoint is {served:?}, set by `.path(…)`", cut(asked)).into()
            }
            Self::TooManyStreams { limit } => {
                format!("{limit} event streams are open: try again, or raise `Limits::streams`").into()
            }
        }
    }
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
        origin => format!("origin {origin:?} is not allowed: name it with `.allow_origins([{origin:?}])`"),
    }
}

/// The beginning of what a caller sent, enough to recognise it.
fn cut(text: &str) -> &str {
    text.char_indices().nth(100).and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

/// The status that stands for the engine's rating.
fn status(refusal: Refusal) -> StatusCode {
    match refusal {
        Refusal::None => StatusCode::OK,
        Refusal::NoSuchMethod | Refusal::NoSuchSession => StatusCode::NOT_FOUND,
        Refusal::Busy => StatusCode::SERVICE_UNAVAILABLE,
        // Whatever is added later is the request's fault until this file knows better.
        _ => StatusCode::BAD_REQUEST,
    }
}

/// The answer to a request. Refusals are JSON whatever the client takes.
pub(crate) fn answer(wire: Wire, refusal: Refusal, accepts: Accepts) -> Response<ResponseBody> {
    match refusal {
        Refusal::None if !accepts.json => stream(ResponseBody::fixed(sse::event(wire))),
        refusal => json(status(refusal), wire),
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
