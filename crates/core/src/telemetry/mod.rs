//! Observability of requests: spans and, with the feature `metrics`, counters. Not here: failures of author code (`server/report.rs`).

mod metrics;
mod outcome;
mod span;

#[cfg(feature = "metrics")]
pub use metrics::describe_metrics;
pub(crate) use span::{RequestSpan, TRACEPARENT, refused};
