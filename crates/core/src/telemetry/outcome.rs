//! The outcome of a request, as spans and counters record it, and the label of methods that are not served.

/// The label of every method that is not served: clients may send any number of names.
pub(crate) const UNKNOWN: &str = "unknown";

/// The outcome of a request.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Outcome {
    Ok,
    Error(i64),
    Cancelled,
}

impl Outcome {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Error(_) => "error",
            Self::Cancelled => "cancelled",
        }
    }
}
