//! What can be watched of a request, from its dispatch to its last message: one `tracing` span and, with the feature
//! `metrics`, what is counted of it.
//!
//! The span is `request`, target `grange`, level INFO. With nobody who listens it costs a look at a flag. **No contents, no
//! arguments and no token are in it**, and of an error only what the client is told too: its code.
//!
//! | field | what |
//! |---|---|
//! | `otel.name`, `otel.kind` | what OpenTelemetry calls the span: the method, `unknown` if it is not served; `server` |
//! | `method` | as the client sent it, cut |
//! | `revision` | of the protocol |
//! | `uri`, `tool` | what is read or called |
//! | `traceparent` | W3C trace context: the request's `_meta`, else the HTTP header |
//! | `outcome` | `ok`, `error`, `cancelled` |
//! | `code` | of an error |
//! | `duration_ms` | by the driver's clock, where it has lent one: the engine has none |
//!
//! A message that is refused before it gets so far is an event instead, of the same target and level, with the `code`.

use std::time::{Duration, Instant};

use serde_json::Value;
use tracing::Span;
use tracing::field::Empty;

use super::metrics::{self, Counters};
use super::outcome::{Outcome, UNKNOWN};
use crate::era::{Clock, Era, Header};
use crate::inbound::Inbound;
use crate::rpc::{Request, Wire, cut, request_meta};

const TRACEPARENT: &str = "traceparent";
/// What is watched of one request. Dropped before it was answered, nobody waited for the answer any more.
pub(crate) struct RequestSpan {
    pub(crate) span: Span,
    tally: Counters,
    began: Option<(Clock, Instant)>,
    is_open: bool,
}

impl RequestSpan {
    /// Of a request to a method that is served, whose name is `served` then.
    pub(crate) fn new(era: &Era, request: &Request<'_>, served: Option<&'static str>, inbound: &Inbound<'_>) -> Self {
        let span = span(era, request, served, inbound);
        let tally = Counters::new(served, era.name, inbound.frame.len());
        let is_timed = Counters::IS_COUNTED || !span.is_disabled();
        let began = inbound.clock.filter(|_| is_timed).map(|clock| (clock, clock()));
        Self { span, tally, began, is_open: true }
    }

    /// Of nothing yet.
    pub(crate) fn none() -> Self {
        Self { span: Span::none(), tally: Counters::none(), began: None, is_open: false }
    }

    /// Notes a message before the answer.
    pub(crate) fn said(&self, wire: &Wire) {
        self.tally.sent(wire);
    }

    /// Notes the answer; with what code, if it is an error.
    pub(crate) fn answered(&mut self, code: Option<i64>, wire: &Wire) {
        self.tally.sent(wire);
        self.end(code.map_or(Outcome::Ok, Outcome::Error));
    }

    /// Records that the request was cancelled, or that its client is gone.
    pub(crate) fn cancelled(&mut self) {
        self.end(Outcome::Cancelled);
    }

    fn end(&mut self, outcome: Outcome) {
        if !std::mem::take(&mut self.is_open) {
            return;
        }
        let took = self.began.map(|(clock, began)| clock().saturating_duration_since(began));
        self.tally.ended(outcome, took);
        record(&self.span, outcome, took);
    }
}

impl Drop for RequestSpan {
    fn drop(&mut self) {
        self.cancelled();
    }
}

/// What is known is there from the beginning: a layer that makes the client's trace the parent has to see it then. The values are
/// looked for only if somebody listens.
fn span(era: &Era, request: &Request<'_>, served: Option<&'static str>, inbound: &Inbound<'_>) -> Span {
    let params = &request.params;
    tracing::info_span!(
        target: "grange",
        "request",
        otel.name = served.unwrap_or(UNKNOWN),
        otel.kind = "server",
        method = &*cut(&request.method),
        revision = era.name,
        uri = params.uri.text().map(cut).as_deref(),
        tool = params.name.text().map(cut).as_deref(),
        traceparent = traceparent(inbound).as_deref(),
        outcome = Empty,
        code = Empty,
        duration_ms = Empty
    )
}

/// The W3C trace context that the client gave.
fn traceparent(inbound: &Inbound<'_>) -> Option<String> {
    let said = request_meta(inbound.frame).remove(TRACEPARENT);
    let said = said.as_ref().and_then(Value::as_str);
    let header = match inbound.header(TRACEPARENT) {
        Header::One(value) => std::str::from_utf8(value).ok(),
        _ => None,
    };
    said.or(header).map(|traceparent| cut(traceparent).into_owned())
}

fn record(span: &Span, outcome: Outcome, took: Option<Duration>) {
    if span.is_disabled() {
        return;
    }
    span.record("outcome", outcome.name());
    if let Outcome::Error(code) = outcome {
        span.record("code", code);
    }
    if let Some(took) = took {
        span.record("duration_ms", took.as_secs_f64() * 1000.0);
    }
}

/// Tells of a message that was refused before it was a request to anything.
pub(crate) fn refused(code: i64) {
    metrics::refused_message(code);
    tracing::info!(target: "grange", code, "refused a message");
}
