//! The metrics of the engine, through the `metrics` facade. Without the feature `metrics` this is empty and costs nothing.
//!
//! **Every label has few values, chosen by Grange or by the author.** A URI, a name that a client sent or a principal is never a
//! label, so that clients cannot make a store of metrics grow.

pub(super) use self::counting::{Counters, refused_message};

#[cfg(feature = "metrics")]
mod counting {
    use std::time::Duration;

    use metrics::{SharedString, counter, histogram};

    use super::names::{RECEIVED, REJECTIONS, REQUESTS, SECONDS, SENT};
    use crate::rpc::{Code, Wire};
    use crate::telemetry::outcome::{Outcome, UNKNOWN};

    /// Counts one request, under its method and its revision. `None`: it is not counted.
    pub(in crate::telemetry) struct Counters(Option<(&'static str, &'static str)>);

    impl Counters {
        pub(in crate::telemetry) const IS_COUNTED: bool = true;

        pub(in crate::telemetry) fn new(served: Option<&'static str>, revision: &'static str, bytes: usize) -> Self {
            counter!(RECEIVED).increment(bytes as u64);
            Self(Some((served.unwrap_or(UNKNOWN), revision)))
        }

        pub(in crate::telemetry) fn none() -> Self {
            Self(None)
        }

        pub(in crate::telemetry) fn sent(&self, wire: &Wire) {
            if self.0.is_some() {
                counter!(SENT).increment(wire.len() as u64);
            }
        }

        pub(in crate::telemetry) fn ended(&self, outcome: Outcome, took: Option<Duration>) {
            let Some((method, revision)) = self.0 else { return };
            let name = outcome.name();
            let code = code(outcome);
            counter!(REQUESTS, "method" => method, "revision" => revision, "outcome" => name, "code" => code)
                .increment(1);
            if let Some(took) = took {
                histogram!(SECONDS, "method" => method, "outcome" => name).record(took);
            }
        }
    }

    /// All codes of authors share one label value, since there may be many.
    fn code(outcome: Outcome) -> SharedString {
        match outcome {
            Outcome::Error(code) if Code::is_reserved(code) => code.to_string().into(),
            Outcome::Error(_) => SharedString::const_str("application"),
            Outcome::Ok | Outcome::Cancelled => SharedString::const_str(""),
        }
    }

    /// Counts a message that was rejected before its dispatch.
    pub(in crate::telemetry) fn refused_message(code: i64) {
        counter!(REJECTIONS, "reason" => "message", "code" => code.to_string()).increment(1);
    }
}

#[cfg(not(feature = "metrics"))]
mod counting {
    use std::time::Duration;

    use crate::rpc::Wire;
    use crate::telemetry::outcome::Outcome;

    pub(in crate::telemetry) struct Counters;

    #[allow(clippy::unused_self, reason = "the same calls as where something is counted")]
    impl Counters {
        pub(in crate::telemetry) const IS_COUNTED: bool = false;

        pub(in crate::telemetry) fn new(_: Option<&'static str>, _: &'static str, _: usize) -> Self {
            Self
        }

        pub(in crate::telemetry) fn none() -> Self {
            Self
        }

        pub(in crate::telemetry) fn sent(&self, _: &Wire) {}

        pub(in crate::telemetry) fn ended(&self, _: Outcome, _: Option<Duration>) {}
    }

    pub(in crate::telemetry) fn refused_message(_: i64) {}
}

#[cfg(feature = "metrics")]
mod names {
    pub(super) const REQUESTS: &str = "grange_requests_total";
    pub(super) const SECONDS: &str = "grange_request_seconds";
    pub(super) const RECEIVED: &str = "grange_received_bytes_total";
    pub(super) const SENT: &str = "grange_sent_bytes_total";
    pub(super) const REJECTIONS: &str = "grange_rejections_total";
}

/// Gives the installed recorder the units and descriptions of the engine's metrics. Call it once, after the recorder is installed.
#[cfg(feature = "metrics")]
pub fn describe_metrics() {
    use metrics::{Unit, describe_counter, describe_gauge, describe_histogram};

    use self::names::{RECEIVED, REJECTIONS, REQUESTS, SECONDS, SENT};
    use crate::changes::names::{FOLDED, LISTENERS, SENT as CHANGES_SENT, SUBSCRIBED};

    describe_counter!(REQUESTS, Unit::Count, "Requests that came to an end, by method, revision, outcome and code");
    describe_histogram!(
        SECONDS,
        Unit::Seconds,
        "Time from a request's dispatch to its last message, by method and outcome"
    );
    describe_counter!(RECEIVED, Unit::Bytes, "Bytes of the messages of requests");
    describe_counter!(SENT, Unit::Bytes, "Bytes of the messages that answer them, those before the answer included");
    describe_gauge!(LISTENERS, Unit::Count, "Clients that are notified of changes: listens, pipes and sessions");
    describe_gauge!(SUBSCRIBED, Unit::Count, "URIs that these clients subscribe to");
    describe_counter!(CHANGES_SENT, Unit::Count, "Notifications of changes that were sent");
    describe_counter!(FOLDED, Unit::Count, "Changes that were folded into an earlier one of the same resource or list");
    describe_counter!(REJECTIONS, Unit::Count, "Requests that were rejected before dispatch, by reason");
}
