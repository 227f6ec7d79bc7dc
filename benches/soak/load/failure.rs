//! Why an exchange failed, and whether the machine may be the cause.

use std::fmt::Display;
use std::time::Instant;

use grange_benches::soak::PATIENCE;

/// The result of an exchange.
pub(crate) type Flow<T = ()> = Result<T, Failure>;

/// The reason for a failure.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An error on any machine, however busy it is.
    Wrong(String),
    /// The server's time limit has passed, in which a well-behaved client should have finished: the machine was too
    /// slow. Counted; too many are a failure.
    Late(String),
}

impl Failure {
    /// An error.
    pub(crate) fn wrong(what: impl Into<String>) -> Self {
        Self::Wrong(what.into())
    }

    /// The connection ended for something that began at this time.
    pub(crate) fn lost(what: impl Display, began: Instant) -> Self {
        let took = began.elapsed();
        let what = format!("{what}, {} ms after it began", took.as_millis());
        if took >= PATIENCE { Self::Late(what) } else { Self::Wrong(what) }
    }

    /// The same with the place prepended.
    pub(crate) fn at(self, place: impl Display) -> Self {
        match self {
            Self::Wrong(what) => Self::Wrong(format!("{place}: {what}")),
            Self::Late(what) => Self::Late(format!("{place}: {what}")),
        }
    }
}

/// Fails with an error.
pub(crate) fn wrong<T>(what: impl Into<String>) -> Flow<T> {
    Err(Failure::wrong(what))
}

/// The start of the received bytes, for a report.
pub(crate) fn shown(bytes: &[u8]) -> String {
    const MOST: usize = 400;
    let text = String::from_utf8_lossy(bytes.get(..bytes.len().min(MOST)).unwrap_or_default()).into_owned();
    if bytes.len() > MOST { format!("{text:?}… ({} bytes)", bytes.len()) } else { format!("{text:?}") }
}
