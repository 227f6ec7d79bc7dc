//! What came of a request, and the name of a method that is not served.

/// A method that is not served has no name of its own: clients may think of any number of them.
pub(crate) const UNKNOWN: &str = "unknown";

/// What came of a request.
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
