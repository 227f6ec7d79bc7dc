//! Why the transport rejects a request: the reasons, with the status of each, its name in logs and metrics, and its text.
//!
//! Data alone: `response.rs` turns a rejection into a response. **The text says what to change**: the caller's request, or the
//! author's setting.

use std::borrow::Cow;
use std::time::Duration;

use http::{Method, StatusCode};

use crate::auth::{AuthProblem, AuthRejection};
use crate::excerpt::{self, Excerpt};
use crate::sessions::table::NoRoom;
use crate::telemetry::{Field, RejectedField};

/// The most bytes, and the name of the setting.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    pub(crate) bytes: usize,
    pub(crate) setting: &'static str,
}

/// Why the transport rejects a request before the engine sees it.
#[derive(Debug)]
pub(crate) enum Rejection {
    BodyBroken,
    BodyTooLong(Limit),
    BodyTooSlow {
        limit: Duration,
    },
    Busy(Full),
    Auth(AuthRejection),
    /// `Last-Event-ID` is not the id of an event, or some events after it are no longer kept.
    CannotResume,
    ContentEncoding(Option<Box<[u8]>>),
    ContentType(Option<Box<[u8]>>),
    /// The `X-Forwarded-*` headers of a trusted proxy do not have one host and one scheme.
    Forwarded(Option<Box<[u8]>>),
    Host(String),
    Method {
        method: Method,
        allowed: Allowed,
    },
    NeedsStream,
    /// The request names no host, several, or two that differ.
    NoSingleHost(Option<String>),
    /// This many bytes are held for clients, and there is no room for more.
    NoRoom(Limit),
    NotAcceptable(Option<Box<[u8]>>),
    NothingToPush,
    OnlyGet(Method),
    Origin(String),
    #[cfg(feature = "serve")]
    Path {
        asked: String,
        served: String,
    },
    /// So many, over HTTP/2. HTTP/1 has the same limit in hyper.
    #[cfg(feature = "serve")]
    TooManyFields {
        sent: usize,
        limit: usize,
    },
    TooManySessions(NoRoom),
    TooManyStreams(Full),
}

/// A limit that is reached, and the field of `Limits` that sets it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Full {
    pub(crate) limit: usize,
    pub(crate) setting: &'static str,
}

/// The methods that are allowed at the endpoint.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Allowed {
    /// No sessions are kept.
    Post,
    PostDelete,
    /// The server sends requests, so a session may have a stream that answers no request of the client.
    PostDeleteGet,
}

impl Allowed {
    /// The methods, as the `Allow` header has them.
    pub(crate) fn list(self) -> &'static str {
        match self {
            Self::Post => "POST",
            Self::PostDelete => "POST, DELETE",
            Self::PostDeleteGet => "GET, POST, DELETE",
        }
    }
}

impl Rejection {
    /// The part of the request that was wrong, for the operator. Never a header that may hold a token or a session id.
    pub(crate) fn rejected_field(&self) -> Option<RejectedField<'_>> {
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
            Self::TooManySessions(no_room) => (Field::Sessions, Excerpt::of(whose(*no_room))),
            _ => return None,
        };
        Some(RejectedField { field, excerpt })
    }

    /// Its name in logs and metrics.
    pub(crate) fn reason(&self) -> &'static str {
        match self {
            Self::BodyBroken => "body_broken",
            Self::BodyTooLong(_) => "body_too_long",
            Self::BodyTooSlow { .. } => "body_too_slow",
            Self::Busy(_) | Self::NoRoom(_) => "busy",
            Self::CannotResume => "cannot_resume",
            Self::ContentEncoding(_) => "content_encoding",
            Self::ContentType(_) => "content_type",
            Self::Auth(_) => "denied",
            Self::Forwarded(_) => "forwarded",
            Self::Host(_) | Self::NoSingleHost(_) => "host",
            Self::Method { .. } | Self::NothingToPush | Self::OnlyGet(_) => "method",
            Self::NeedsStream | Self::NotAcceptable(_) => "accept",
            Self::Origin(_) => "origin",
            #[cfg(feature = "serve")]
            Self::Path { .. } => "path",
            #[cfg(feature = "serve")]
            Self::TooManyFields { .. } => "too_many_fields",
            Self::TooManySessions(_) => "too_many_sessions",
            Self::TooManyStreams(_) => "too_many_streams",
        }
    }

    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::BodyBroken | Self::CannotResume | Self::Forwarded(_) | Self::NoSingleHost(_) => {
                StatusCode::BAD_REQUEST
            }
            Self::BodyTooLong(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::BodyTooSlow { .. } => StatusCode::REQUEST_TIMEOUT,
            Self::Busy(_) | Self::NoRoom(_) | Self::TooManySessions(_) | Self::TooManyStreams(_) => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::ContentEncoding(_) | Self::ContentType(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Auth(rejection) => auth_status(rejection.problem),
            Self::Host(_) | Self::Origin(_) => StatusCode::FORBIDDEN,
            Self::Method { .. } | Self::NothingToPush | Self::OnlyGet(_) => StatusCode::METHOD_NOT_ALLOWED,
            Self::NeedsStream | Self::NotAcceptable(_) => StatusCode::NOT_ACCEPTABLE,
            #[cfg(feature = "serve")]
            Self::Path { .. } => StatusCode::NOT_FOUND,
            #[cfg(feature = "serve")]
            Self::TooManyFields { .. } => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
        }
    }

    /// The text, for the client.
    pub(crate) fn message(&self) -> Cow<'static, str> {
        match self {
            Self::BodyBroken => "the body ended early or could not be read".into(),
            Self::BodyTooLong(Limit { bytes, setting }) => {
                format!("the body is longer than {bytes} bytes: send less, or raise `{setting}`").into()
            }
            Self::BodyTooSlow { limit } => {
                format!("the body took longer than {} ms: raise `.read_timeout(…)`", limit.as_millis()).into()
            }
            Self::Busy(Full { limit, setting }) => busy(&format!("{limit} in flight"), setting).into(),
            Self::NoRoom(limit) => no_room(*limit).into(),
            Self::CannotResume => {
                "the events after the one in Last-Event-ID are not kept: send the request again, and \
                                   raise `Limits::session_bytes` to keep more"
                    .into()
            }
            Self::ContentEncoding(_) => {
                "the body must come as it is: without Content-Encoding, or with `identity`".into()
            }
            Self::ContentType(_) => "the body must come with one Content-Type, application/json".into(),
            Self::Auth(rejection) => rejection.message.clone().into(),
            Self::Forwarded(_) => {
                "X-Forwarded-Host and X-Forwarded-Proto must come once each, with one host and with http or \
                                https: have the proxy set them, in place of what the client sent"
                    .into()
            }
            Self::Host(host) => foreign_host(host).into(),
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
            Self::NothingToPush => "this server sends only responses: GET can resume a stream, and nothing else".into(),
            Self::OnlyGet(method) => format!("{method} is not allowed: GET reads this document").into(),
            Self::Origin(origin) => foreign_origin(origin).into(),
            #[cfg(feature = "serve")]
            Self::Path { asked, served } => format!(
                "nothing is served at {:?}: the endpoint is {served:?}, set by `.path(…)`",
                excerpt::beginning(asked)
            )
            .into(),
            #[cfg(feature = "serve")]
            Self::TooManyFields { sent, limit } => too_many_fields(*sent, *limit).into(),
            Self::TooManySessions(no_room @ NoRoom::InAll) => busy(whose(*no_room), "sessions").into(),
            Self::TooManySessions(no_room @ NoRoom::OfPrincipal) => {
                busy(whose(*no_room), "sessions_per_principal").into()
            }
            Self::TooManyStreams(Full { limit, setting }) => {
                busy(&format!("{limit} event streams are open"), setting).into()
            }
        }
    }
}

#[cfg(feature = "serve")]
fn too_many_fields(sent: usize, limit: usize) -> String {
    format!("the head has {sent} header fields: send {limit} at most")
}

/// Which sessions leave no room for another.
fn whose(no_room: NoRoom) -> &'static str {
    match no_room {
        NoRoom::InAll => "every session is in use",
        NoRoom::OfPrincipal => "every session of this client's principal is in use",
    }
}

fn auth_status(problem: AuthProblem) -> StatusCode {
    match problem {
        AuthProblem::BadRequest => StatusCode::BAD_REQUEST,
        AuthProblem::Unauthorized => StatusCode::UNAUTHORIZED,
        AuthProblem::Forbidden => StatusCode::FORBIDDEN,
        AuthProblem::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
    }
}

/// There is no room at present. Some hosts look for exactly these words: they take a 503 without them for a server that has died, and
/// restart it.
fn busy(what: &str, setting: &str) -> String {
    format!("Server busy: too many requests at once ({what}): try again, or raise `Limits::{setting}`")
}

fn no_room(Limit { bytes, setting }: Limit) -> String {
    busy(&format!("{bytes} bytes of messages are held"), setting)
}

fn foreign_host(host: &str) -> String {
    let host = excerpt::beginning(host);
    format!(
        "host {host:?} is not allowed: name it with `.public_hosts([{host:?}])`, or say `.behind_proxy()` if a proxy in \
         front checks it"
    )
}

fn foreign_origin(origin: &str) -> String {
    match excerpt::beginning(origin) {
        "null" => "origin \"null\" is never allowed: serve the page from an origin for `.allow_origins(…)`".into(),
        origin => format!(
            "origin {origin:?} is not allowed: name it with `.cors([{origin:?}])`, so that its pages may send requests and read \
             responses, or with `.allow_origins([{origin:?}])`, so that they may send requests"
        ),
    }
}
