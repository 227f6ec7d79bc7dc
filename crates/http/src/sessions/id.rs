//! The id of a session: 128 bits that cannot be guessed, written in visible ASCII.
//!
//! A client that knows an id can use its session, so ids come from the system's source of randomness alone.

use std::fmt;

/// The id of a session.
#[derive(Clone, Copy, Eq, Hash, PartialEq)]
pub(crate) struct SessionId([u8; 16]);

const DIGITS: usize = 32;

impl SessionId {
    /// A new one; `None` if the system has no randomness to give.
    pub(crate) fn random() -> Option<Self> {
        let mut bytes = [0; 16];
        match getrandom::fill(&mut bytes) {
            Ok(()) => Some(Self(bytes)),
            Err(error) => {
                tracing::error!(%error, "no session can be opened: the system gives no random numbers");
                None
            }
        }
    }

    /// Reads one as it was written, digit for digit: another spelling is another id.
    pub(crate) fn parse(text: &[u8]) -> Option<Self> {
        if text.len() != DIGITS {
            return None;
        }
        let mut bytes = [0; 16];
        for (byte, pair) in bytes.iter_mut().zip(text.chunks_exact(2)) {
            *byte = pair.iter().try_fold(0, |value, digit| Some(value << 4 | digit_value(*digit)?))?;
        }
        Some(Self(bytes))
    }
}

fn digit_value(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Without the id: a reader of a log could use the session.
impl fmt::Debug for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionId(…)")
    }
}

#[cfg(test)]
impl SessionId {
    /// One that a test chooses.
    pub(crate) fn of(number: u128) -> Self {
        Self(number.to_be_bytes())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn an_id_is_read_only_as_it_was_written(bytes: [u8; 16], at in 0..DIGITS, other: u8) {
            let id = SessionId(bytes);
            let mut text = id.to_string().into_bytes();
            prop_assert!(SessionId::parse(&text) == Some(id));
            let changed = text[at] != other;
            text[at] = other;
            prop_assert!(!changed || SessionId::parse(&text) != Some(id));
        }

        #[test]
        fn nothing_else_is_an_id(text in proptest::collection::vec(any::<u8>(), 0..70)) {
            let read = SessionId::parse(&text).map(|id| id.to_string().into_bytes());
            prop_assert!(read.is_none_or(|read| read == text));
        }
    }

    #[test]
    fn ids_are_different_and_tell_nothing_where_they_are_logged() {
        let ids = [(); 64].map(|()| SessionId::random().expect("the system has randomness"));
        for (index, id) in ids.iter().enumerate() {
            assert!(!ids[..index].contains(id));
        }
        assert_eq!(format!("{:?}", ids[0]), "SessionId(…)");
    }
}
