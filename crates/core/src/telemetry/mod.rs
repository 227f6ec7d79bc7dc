//! What an operator can see of requests: a span and, with the feature `metrics`, counters.

mod metrics;
mod outcome;
mod span;

#[cfg(feature = "metrics")]
pub use metrics::describe_metrics;
pub(crate) use span::{RequestSpan, refused};
