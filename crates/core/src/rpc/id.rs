//! Request ids: raw JSON tokens, copied and never converted, so that they return with the same type and digits.

use std::borrow::Cow;

use super::json::Raw;

/// A request id as it stood in the message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IdToken<'a>(&'a str);

impl<'a> IdToken<'a> {
    /// Takes a string or an integer; anything else (null, a fraction, an exponent) is no id.
    pub(crate) fn new(raw: Raw<'a>) -> Option<Self> {
        let text = raw.text();
        let digits = text.strip_prefix('-').unwrap_or(text);
        let integer = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        (integer || text.starts_with('"')).then_some(Self(text))
    }

    pub(crate) fn text(self) -> &'a str {
        self.0
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

/// An id as it is compared: typed and decoded, so that `"1"` is not `1` and `"\u0061"` is `"a"`.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(crate) enum IdKey {
    Number(Box<str>),
    Text(Box<str>),
}

impl IdKey {
    pub(crate) fn new(token: IdToken<'_>) -> Self {
        if token.0.starts_with('"') {
            // What is kept was read before, so it decodes.
            return Self::Text(serde_json::from_str::<Cow<'_, str>>(token.0).unwrap_or_default().into());
        }
        // JSON writes every integer in one way only, but for the sign of zero.
        Self::Number(if token.0 == "-0" { "0" } else { token.0 }.into())
    }
}
