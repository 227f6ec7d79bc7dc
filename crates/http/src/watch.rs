//! What the transport tells whoever watches: that it refused a request and why, and how much is open. What a request was and
//! what came of it is the engine's to tell.
//!
//! The counting is by the `metrics` facade, and nothing without the feature `metrics`.

/// Tells that the door was closed and why, and nothing that the client sent.
pub(crate) fn refused(reason: &'static str, status: u16) {
    #[cfg(feature = "metrics")]
    metrics::counter!(REFUSALS, "reason" => reason, "code" => "").increment(1);
    tracing::info!(target: "grange", reason, status, "refused a request");
}

#[cfg(any(feature = "metrics", feature = "serve"))]
pub(crate) const CONNECTIONS: &str = "grange_http_connections";
pub(crate) const REQUESTS: &str = "grange_http_requests_in_flight";
pub(crate) const SESSIONS: &str = "grange_http_sessions";
pub(crate) const STREAMS: &str = "grange_http_streams";
#[cfg(feature = "metrics")]
const REFUSALS: &str = "grange_refusals_total";

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

    describe_counter!(REFUSALS, Unit::Count, "What was refused before it was a request to anything, by reason");
    describe_gauge!(CONNECTIONS, Unit::Count, "Connections that are open");
    describe_gauge!(REQUESTS, Unit::Count, "Requests that are worked on, held streams not among them");
    describe_gauge!(SESSIONS, Unit::Count, "Sessions that are kept");
    describe_gauge!(STREAMS, Unit::Count, "Event streams that are held");
}
