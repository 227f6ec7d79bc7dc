//! What the transport reports to operators: rejected requests, with the reason and what was wrong, and how much is open. The engine
//! reports what a request was and what came of it.
//!
//! Tokens and session ids are never logged. Counting goes through the `metrics` facade, and does nothing without the feature
//! `metrics`; no label has a value that a client chose.

use crate::excerpt::Excerpt;

/// Records why a request was rejected.
pub(crate) fn record_rejection(reason: &'static str, status: u16, rejected_field: Option<&RejectedField<'_>>) {
    #[cfg(feature = "metrics")]
    metrics::counter!(REJECTIONS, "reason" => reason, "code" => "").increment(1);
    // As a string, which log writers put into quotes: nothing in it looks like another field.
    let shown = rejected_field.map(|rejected_field| (rejected_field.field, rejected_field.excerpt.to_string()));
    let of = |field: Field| shown.as_ref().filter(|shown| shown.0 == field).map(|shown| shown.1.as_str());
    tracing::info!(
        target: "grange",
        reason,
        status,
        host = of(Field::Host),
        origin = of(Field::Origin),
        method = of(Field::Method),
        path = of(Field::Path),
        content_type = of(Field::ContentType),
        content_encoding = of(Field::ContentEncoding),
        accept = of(Field::Accept),
        forwarded = of(Field::Forwarded),
        sessions = of(Field::Sessions),
        "rejected a request"
    );
}

/// The part of a request that was wrong, under the name that its log field has.
pub(crate) struct RejectedField<'a> {
    pub(crate) field: Field,
    pub(crate) excerpt: Excerpt<'a>,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Field {
    Accept,
    ContentEncoding,
    ContentType,
    Forwarded,
    Host,
    Method,
    Origin,
    Path,
    Sessions,
}

#[cfg(any(feature = "metrics", feature = "serve"))]
pub(crate) const CONNECTIONS: &str = "grange_http_connections";
pub(crate) const REQUESTS: &str = "grange_http_requests_in_flight";
pub(crate) const SESSIONS: &str = "grange_http_sessions";
pub(crate) const STREAMS: &str = "grange_http_streams";
#[cfg(feature = "metrics")]
const REJECTIONS: &str = "grange_rejections_total";

/// Something that is counted as open until it is dropped.
#[derive(Debug)]
pub(crate) struct Open(#[cfg(feature = "metrics")] &'static str);

#[cfg(feature = "metrics")]
impl Open {
    pub(crate) fn new(gauge: &'static str) -> Self {
        metrics::gauge!(gauge).increment(1.0);
        Self(gauge)
    }
}

#[cfg(feature = "metrics")]
impl Drop for Open {
    fn drop(&mut self) {
        metrics::gauge!(self.0).decrement(1.0);
    }
}

#[cfg(not(feature = "metrics"))]
impl Open {
    pub(crate) fn new(_: &'static str) -> Self {
        Self()
    }
}

/// Gives the recorder that is installed the units and descriptions of what the transport counts.
#[cfg(feature = "metrics")]
pub fn describe_metrics() {
    use metrics::{Unit, describe_counter, describe_gauge};

    describe_counter!(REJECTIONS, Unit::Count, "Requests that were rejected before dispatch, by reason");
    describe_gauge!(CONNECTIONS, Unit::Count, "Connections that are open");
    describe_gauge!(REQUESTS, Unit::Count, "Requests in flight, without held streams");
    describe_gauge!(SESSIONS, Unit::Count, "Sessions that are kept");
    describe_gauge!(STREAMS, Unit::Count, "Event streams that are held");
}
