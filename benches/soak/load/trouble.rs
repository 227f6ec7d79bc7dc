//! Why an exchange did not go as it should, and whose fault that may be.

use std::fmt::Display;
use std::time::Instant;

use grange_benches::soak::PATIENCE;

/// What an exchange comes to.
pub(crate) type Flow<T = ()> = Result<T, Trouble>;

/// What went wrong.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// It must not be, however busy the machine is.
    Wrong(String),
    /// The server gave up after the time that it grants, in which a well-behaved client should have been done: the machine
    /// stood still. Counted, and too many are a failure.
    Late(String),
}

impl Trouble {
    /// What must not be.
    pub(crate) fn wrong(what: impl Into<String>) -> Self {
        Self::Wrong(what.into())
    }

    /// The server gave up on something that began then.
    pub(crate) fn lost(what: impl Display, began: Instant) -> Self {
        let took = began.elapsed();
        let what = format!("{what}, {} ms after it began", took.as_millis());
        if took >= PATIENCE { Self::Late(what) } else { Self::Wrong(what) }
    }

    /// The same with the place where it happened in front.
    pub(crate) fn at(self, place: impl Display) -> Self {
        match self {
            Self::Wrong(what) => Self::Wrong(format!("{place}: {what}")),
            Self::Late(what) => Self::Late(format!("{place}: {what}")),
        }
    }
}

/// Fails with what must not be.
pub(crate) fn wrong<T>(what: impl Into<String>) -> Flow<T> {
    Err(Trouble::wrong(what))
}

/// The beginning of what came, for people.
pub(crate) fn shown(bytes: &[u8]) -> String {
    const MOST: usize = 400;
    let text = String::from_utf8_lossy(bytes.get(..bytes.len().min(MOST)).unwrap_or_default()).into_owned();
    if bytes.len() > MOST { format!("{text:?}… ({} bytes)", bytes.len()) } else { format!("{text:?}") }
}
