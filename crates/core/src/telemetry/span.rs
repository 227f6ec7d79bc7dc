//! The span of one request, from its dispatch to its last message, and with the feature `metrics` its counters.
//!
//! The span is `request`, target `grange`, level INFO. Without a subscriber it costs one check of a flag. **It has no contents, no
//! arguments and no token**; of an error it has only the code, which the client gets too.
//!
//! | field | value |
//! |---|---|
//! | `otel.name`, `otel.kind` | for OpenTelemetry: the method, or `unknown` if it is not served; `server` |
//! | `method` | the method as the client sent it, cut |
//! | `revision` | the protocol revision |
//! | `uri`, `tool` | the resource that is read, or the tool that is called |
//! | `traceparent` | the W3C trace context: from the request's `_meta`, else from the HTTP header |
//! | `outcome` | `ok`, `error`, `cancelled` |
//! | `code` | the code of an error |
//! | `duration_ms` | the duration in milliseconds, if the driver has a clock: the engine has none |
//!
//! A message that is rejected before its dispatch has no span. It is an event with the same target and level, and with the `code`.

use std::time::{Duration, Instant};

use tracing::Span;
use tracing::field::Empty;

use super::metrics::{self, Counters};
use super::outcome::{Outcome, UNKNOWN};
use crate::era::{Clock, Era, Header};
use crate::inbound::Inbound;
use crate::rpc::{Raw, Request, Wire, meta_member, truncate};

/// The header, and the member of `_meta`, of the W3C trace context.
pub(crate) const TRACEPARENT: &str = "traceparent";

/// The span and the counters of one request. Dropped before the answer, it records a cancellation.
pub(crate) struct RequestSpan {
    pub(crate) span: Span,
    counters: Counters,
    began: Option<(Clock, Instant)>,
    is_open: bool,
}

impl RequestSpan {
    /// Starts the span of a request. `served` is the name of its method, if the method is served.
    pub(crate) fn new(era: &Era, request: &Request<'_>, served: Option<&'static str>, inbound: &Inbound<'_>) -> Self {
        let span = span(era, request, served, inbound);
        let counters = Counters::new(served, era.name, inbound.frame.len());
        let is_timed = Counters::IS_COUNTED || !span.is_disabled();
        let began = inbound.clock.filter(|_| is_timed).map(|clock| (clock, clock()));
        Self { span, counters, began, is_open: true }
    }

    /// A span that records nothing, until [`Job::set_span`](crate::Job::set_span) replaces it.
    pub(crate) fn none() -> Self {
        Self { span: Span::none(), counters: Counters::none(), began: None, is_open: false }
    }

    /// Counts a message before the answer.
    pub(crate) fn said(&self, wire: &Wire) {
        self.counters.sent(wire);
    }

    /// Records the answer. `code` is set if the answer is an error.
    pub(crate) fn answered(&mut self, code: Option<i64>, wire: &Wire) {
        self.counters.sent(wire);
        self.end(code.map_or(Outcome::Ok, Outcome::Error));
    }

    /// Records that the request was cancelled, or that its client disconnected.
    pub(crate) fn cancelled(&mut self) {
        self.end(Outcome::Cancelled);
    }

    fn end(&mut self, outcome: Outcome) {
        if !std::mem::take(&mut self.is_open) {
            return;
        }
        let took = self.began.map(|(clock, began)| clock().saturating_duration_since(began));
        self.counters.ended(outcome, took);
        record(&self.span, outcome, took);
    }
}

impl Drop for RequestSpan {
    fn drop(&mut self) {
        self.cancelled();
    }
}

/// Fields with a known value are set from the start, since a layer that makes the client's trace the parent reads them then. The values
/// are computed only if there is a subscriber.
fn span(era: &Era, request: &Request<'_>, served: Option<&'static str>, inbound: &Inbound<'_>) -> Span {
    let params = &request.params;
    tracing::info_span!(
        target: "grange",
        "request",
        otel.name = served.unwrap_or(UNKNOWN),
        otel.kind = "server",
        method = &*truncate(&request.method),
        revision = era.name,
        uri = params.uri.text().map(truncate).as_deref(),
        tool = params.name.text().map(truncate).as_deref(),
        traceparent = traceparent(inbound).as_deref(),
        outcome = Empty,
        code = Empty,
        duration_ms = Empty
    )
}

/// The W3C trace context that the client sent.
fn traceparent(inbound: &Inbound<'_>) -> Option<String> {
    let said = meta_member(inbound.frame, TRACEPARENT).and_then(Raw::as_string);
    let header = match inbound.header(TRACEPARENT) {
        Header::One(value) => std::str::from_utf8(value).ok(),
        _ => None,
    };
    said.as_deref().or(header).map(|traceparent| truncate(traceparent).into_owned())
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

/// Records a message that was rejected before its dispatch.
pub(crate) fn refused(code: i64) {
    metrics::refused_message(code);
    tracing::info!(target: "grange", code, "rejected a message");
}
