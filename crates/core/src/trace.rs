//! What can be watched of a request: one `tracing` span, from its dispatch to its last message.
//!
//! The span is `request`, target `grange`, level INFO. With nobody who listens it costs a look at a flag. **No contents, no
//! arguments and no token are in it**, and of an error only what the client is told too: its code.
//!
//! | field | what |
//! |---|---|
//! | `method` | as the client sent it, cut |
//! | `revision` | of the protocol |
//! | `uri`, `tool` | what is read or called |
//! | `traceparent` | W3C trace context: the request's `_meta`, else the HTTP header |
//! | `outcome` | `ok`, `error`, `cancelled` |
//! | `code` | of an error |
//!
//! A message that is refused before it gets so far is an event instead, of the same target and level, with the `code`.

use serde_json::Value;
use tracing::Span;
use tracing::field::Empty;

use crate::era::{Era, Header};
use crate::rpc::{Request, cut, request_meta};
use crate::server::Around;

const TRACEPARENT: &str = "traceparent";

/// The span of a request.
pub(crate) fn span(era: &Era, request: &Request<'_>, around: &Around<'_>) -> Span {
    let span = tracing::info_span!(
        target: "grange",
        "request",
        method = Empty,
        revision = era.name,
        uri = Empty,
        tool = Empty,
        traceparent = Empty,
        outcome = Empty,
        code = Empty
    );
    if !span.is_disabled() {
        describe(&span, request, around);
    }
    span
}

fn describe(span: &Span, request: &Request<'_>, around: &Around<'_>) {
    span.record("method", &*cut(&request.method));
    if let Some(uri) = request.params.uri.text() {
        span.record("uri", &*cut(uri));
    }
    if let Some(tool) = request.params.name.text() {
        span.record("tool", &*cut(tool));
    }
    let said = request_meta(around.frame).remove(TRACEPARENT);
    let said = said.as_ref().and_then(Value::as_str);
    let header = match around.exchange.map(|exchange| exchange.header(TRACEPARENT)) {
        Some(Header::One(value)) => std::str::from_utf8(value).ok(),
        _ => None,
    };
    if let Some(traceparent) = said.or(header) {
        span.record(TRACEPARENT, &*cut(traceparent));
    }
}

/// Notes that a request was answered; with what code, if with an error.
pub(crate) fn answered(span: &Span, code: Option<i64>) {
    span.record("outcome", if code.is_some() { "error" } else { "ok" });
    if let Some(code) = code {
        span.record("code", code);
    }
}

/// Tells of a message that was refused before it was a request to anything.
pub(crate) fn refused(code: i64) {
    tracing::info!(target: "grange", code, "refused a message");
}

/// Notes that nobody waits for the answer any more.
pub(crate) fn cancelled(span: &Span) {
    span.record("outcome", "cancelled");
}
