//! Request ids: raw JSON tokens that are copied and never converted, so that they return with the same type and digits.

use std::borrow::Cow;

use super::escape::{escape_separators, has_separator};
use super::number::{integer, is_integer};
use super::read::Raw;

/// A request id as it stood in the message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IdToken<'a>(&'a str);

impl<'a> IdToken<'a> {
    /// Accepts a string, or an integer in any notation. Null, a fraction and a number beyond a double are not ids.
    pub(crate) fn new(raw: Raw<'a>) -> Option<Self> {
        let text = raw.text();
        (text.starts_with('"') || is_integer(text)).then_some(Self(text))
    }

    /// Length in bytes, as received.
    pub(crate) fn len(self) -> usize {
        self.0.len()
    }

    /// Appends the id as received, except for characters that are sent as escapes.
    #[inline]
    pub(crate) fn write(self, out: &mut Vec<u8>) {
        if self.0.starts_with('"') && has_separator(self.0) {
            escape_separators(out, self.0.as_bytes());
        } else {
            out.extend_from_slice(self.0.as_bytes());
        }
    }

    /// The id as a number, if it can be the id of a request to the client: those are positive integers.
    pub(crate) fn to_u64(self) -> Option<u64> {
        integer(self.0)?.parse().ok()
    }

    pub(crate) fn to_owned(self) -> RequestId {
        RequestId(self.0.into())
    }
}

/// An id kept beyond its message.
#[derive(Clone, Debug)]
pub(crate) struct RequestId(Box<str>);

impl RequestId {
    pub(crate) fn token(&self) -> IdToken<'_> {
        IdToken(&self.0)
    }
}

/// An id for comparison: typed and by value, so that `"1"` is not `1`, `1.0` is `1`, and `"\u0061"` is `"a"`.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(crate) enum IdKey {
    Number(Box<str>),
    Text(Box<str>),
}

impl IdKey {
    pub(crate) fn new(token: IdToken<'_>) -> Self {
        if token.0.starts_with('"') {
            // The token was checked when it was read, so it decodes.
            return Self::Text(serde_json::from_str::<Cow<'_, str>>(token.0).unwrap_or_default().into());
        }
        Self::Number(integer(token.0).unwrap_or_default().into())
    }
}
