//! What names an event: its stream in the session and its number in the stream, as in `3-7`.
//!
//! It comes back in `Last-Event-ID`, from a client that may send anything.

use std::fmt;

/// The id of an event.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct EventId {
    pub(crate) stream: u64,
    /// 0 stands before the first event.
    pub(crate) number: u64,
}

impl EventId {
    /// Reads one as it was written.
    pub(crate) fn parse(text: &[u8]) -> Option<Self> {
        let (stream, number) = std::str::from_utf8(text).ok()?.split_once('-')?;
        Some(Self { stream: digits(stream)?, number: digits(number)? })
    }
}

/// A number without sign or leading zeros.
fn digits(text: &str) -> Option<u64> {
    let is_plain = text == "0" || text.starts_with(|first: char| matches!(first, '1'..='9'));
    text.parse().ok().filter(|_| is_plain)
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.stream, self.number)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn an_id_is_read_as_it_was_written(stream: u64, number: u64) {
            let id = EventId { stream, number };
            prop_assert_eq!(EventId::parse(id.to_string().as_bytes()), Some(id));
        }

        #[test]
        fn nothing_else_is_an_id(text in "[0-9+ x-]{0,12}|.{0,6}") {
            let read = EventId::parse(text.as_bytes()).map(|id| id.to_string());
            prop_assert!(read.is_none_or(|read| read == text));
        }
    }
}
