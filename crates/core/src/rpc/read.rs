//! Checks JSON values that the engine skips or keeps raw: the part of JSON that `serde_json` leaves to its caller.
//!
//! **No input is skipped unchecked.** `IgnoredAny` and an unchecked `RawValue` accept lone surrogates and unlimited
//! nesting in the values that they skip, so that one program would accept a message which another rejects. Everything
//! here checks the values that it skips. No other file of this crate names `RawValue`.
//!
//! Numbers are not evaluated here: a number that no double can hold is valid JSON, wherever it is. `serde_json`
//! evaluates every number that it visits, and fails for such a one; [`parse`] then reads the text again,
//! [carefully](Scope).

use std::fmt;
use std::str::FromStr;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::number::{end_of_string, has_lone_surrogate, integer};

/// Most levels of arrays and objects that a message may have. Deeper input is rejected as unparseable (-32700).
const DEPTH: u8 = 128;

/// How to read a value: the nesting that it may have, and whether its type is found before `serde_json` visits it
/// (`CAREFUL`). The careful way reads the value twice, so it is used only for a message that the first way cannot read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope<const CAREFUL: bool> {
    depth: u8,
}

impl<const CAREFUL: bool> Scope<CAREFUL> {
    const WHOLE: Self = Self { depth: DEPTH };

    /// Reads the value as raw JSON.
    pub(super) fn raw(self) -> RawSeed {
        RawSeed { depth: self.depth }
    }

    /// The scope of the values inside this one.
    fn deeper<E: serde::de::Error>(self) -> Result<Self, E> {
        let depth = self.depth.checked_sub(1).ok_or_else(|| E::custom(TOO_DEEP))?;
        Ok(Self { depth })
    }
}

const TOO_DEEP: &str = "nesting is deeper than 128";

/// Checks the whole of a JSON value: its nesting, and the escapes of its strings. Its grammar was checked before.
fn check(json: &str, depth: u8) -> Result<(), &'static str> {
    let bytes = json.as_bytes();
    let (mut at, mut open) = (0, 0_usize);
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        at += 1;
        match byte {
            b'"' => {
                at = end_of_string(bytes, start);
                if has_lone_surrogate(&bytes[start + 1..at - 1]) {
                    return Err("half a surrogate pair stands alone");
                }
            }
            b'{' | b'[' => {
                open += 1;
                if open > usize::from(depth) {
                    return Err(TOO_DEEP);
                }
            }
            b'}' | b']' => open -= 1,
            _ => {}
        }
    }
    Ok(())
}

/// One JSON value as it stood in the message, checked and well-formed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Raw<'a>(&'a str);

impl<'a> Raw<'a> {
    /// JSON that was read as [`Raw`] before, and kept.
    pub(crate) fn checked_before(json: &'a [u8]) -> Self {
        Self(std::str::from_utf8(json).unwrap_or("null"))
    }

    pub(crate) fn text(self) -> &'a str {
        self.0
    }

    pub(crate) fn is_object(self) -> bool {
        self.0.starts_with('{')
    }

    pub(crate) fn is_array(self) -> bool {
        self.0.starts_with('[')
    }

    pub(crate) fn as_bool(self) -> Option<bool> {
        match self.0 {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    pub(crate) fn is_null(self) -> bool {
        self.0 == "null"
    }

    /// The type of the value with its article, for the text of an error.
    pub(crate) fn kind(self) -> &'static str {
        match self.0.as_bytes().first() {
            Some(b'{') => "an object",
            Some(b'[') => "an array",
            Some(b'"') => "a string",
            Some(b't' | b'f') => "a boolean",
            Some(b'n') => "null",
            _ => "a number",
        }
    }

    /// The decoded string; `None` for a value of another type.
    pub(crate) fn as_string(self) -> Option<String> {
        if self.0.starts_with('"') { serde_json::from_str(self.0).ok() } else { None }
    }

    /// The value as an integer, in whatever notation it was sent, if the type can hold it.
    pub(crate) fn as_integer<T: FromStr>(self) -> Option<T> {
        integer(self.0)?.parse().ok()
    }
}

/// Reads a value as [`Raw`].
#[derive(Clone, Copy)]
pub(crate) struct RawSeed {
    depth: u8,
}

impl<'de> DeserializeSeed<'de> for RawSeed {
    type Value = Raw<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Raw<'de>, D::Error> {
        let text = <&'de RawValue as serde::Deserialize>::deserialize(deserializer)?.get();
        // Other scalars have nothing to check.
        if text.starts_with(['{', '[', '"']) {
            check(text, self.depth).map_err(D::Error::custom)?;
        }
        Ok(Raw(text))
    }
}

/// Checks a value and keeps nothing of it. In place where possible, since most skipped values are short.
#[derive(Clone, Copy)]
pub(super) struct Skip<const C: bool>(pub(super) Scope<C>);

impl<const C: bool> Skip<C> {
    pub(super) fn items<'de, A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let inner = Self(self.0.deeper()?);
        while items.next_element_seed(inner)?.is_some() {}
        Ok(())
    }

    pub(super) fn members<'de, A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let inner = Self(self.0.deeper()?);
        while members.next_key_seed(inner)?.is_some() {
            members.next_value_seed(inner)?;
        }
        Ok(())
    }
}

impl<'de, const C: bool> DeserializeSeed<'de> for Skip<C> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if C {
            return self.0.raw().deserialize(deserializer).map(drop);
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de, const C: bool> Visitor<'de> for Skip<C> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<(), A::Error> {
        self.items(items)
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<(), A::Error> {
        self.members(members)
    }
}

/// Handles the members of an object, and a value that is not an object.
pub(super) trait Members<'de>: Sized {
    type Value;

    /// The value is null.
    fn null(self) -> Self::Value {
        self.not_an_object()
    }

    /// The value is of another type, and well-formed.
    fn not_an_object(self) -> Self::Value;

    /// Reads every member. `inner` is the scope of their values.
    fn read<A: MapAccess<'de>, const C: bool>(self, members: A, inner: Scope<C>) -> Result<Self::Value, A::Error>;
}

/// Reads a value as an object, in place.
#[derive(Clone, Copy)]
pub(super) struct Object<M, const C: bool> {
    pub(super) members: M,
    pub(super) scope: Scope<C>,
}

impl<'de, M: Members<'de>, const C: bool> DeserializeSeed<'de> for Object<M, C> {
    type Value = M::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<M::Value, D::Error> {
        if !C {
            return deserializer.deserialize_any(self);
        }
        let raw = self.scope.raw().deserialize(deserializer)?;
        if raw.is_object() {
            return over(raw.text(), |deserializer| deserializer.deserialize_any(self)).map_err(D::Error::custom);
        }
        Ok(if raw.is_null() { self.members.null() } else { self.members.not_an_object() })
    }
}

impl<'de, M: Members<'de>, const C: bool> Visitor<'de> for Object<M, C> {
    type Value = M::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<M::Value, E> {
        Ok(self.members.not_an_object())
    }

    fn visit_i64<E>(self, _: i64) -> Result<M::Value, E> {
        Ok(self.members.not_an_object())
    }

    fn visit_u64<E>(self, _: u64) -> Result<M::Value, E> {
        Ok(self.members.not_an_object())
    }

    fn visit_f64<E>(self, _: f64) -> Result<M::Value, E> {
        Ok(self.members.not_an_object())
    }

    fn visit_str<E>(self, _: &str) -> Result<M::Value, E> {
        Ok(self.members.not_an_object())
    }

    fn visit_unit<E>(self) -> Result<M::Value, E> {
        Ok(self.members.null())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<M::Value, A::Error> {
        Skip(self.scope).items(items)?;
        Ok(self.members.not_an_object())
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<M::Value, A::Error> {
        let inner = self.scope.deeper()?;
        self.members.read(members, inner)
    }
}

/// The most members of an array that are kept: more than any revision allows in a batch. Their number is checked there.
const KEPT: usize = 1000;

/// The members of an array, each checked, and the first of them kept.
pub(super) fn parse_items(text: &str) -> Result<Vec<Raw<'_>>, serde_json::Error> {
    over(text, |deserializer| deserializer.deserialize_seq(Items(Scope::<false>::WHOLE)))
}

struct Items(Scope<false>);

impl<'de> Visitor<'de> for Items {
    type Value = Vec<Raw<'de>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut all = Vec::new();
        let inner = self.0.deeper()?;
        while let Some(item) = items.next_element_seed(inner.raw())? {
            if all.len() < KEPT {
                all.push(item);
            }
        }
        Ok(all)
    }
}

/// Reads the whole of `text` as an object. This file counts the nesting in place of `serde_json`. If the first pass
/// fails, a careful one follows.
pub(super) fn parse<'a, M: Members<'a> + Copy>(text: &'a str, members: M) -> Result<M::Value, serde_json::Error> {
    match read::<M, false>(text, members) {
        Ok(value) => Ok(value),
        Err(_) => read::<M, true>(text, members),
    }
}

fn read<'a, M: Members<'a>, const C: bool>(text: &'a str, members: M) -> Result<M::Value, serde_json::Error> {
    over(text, |deserializer| Object { members, scope: Scope::<C>::WHOLE }.deserialize(deserializer))
}

fn over<'a, T>(
    text: &'a str,
    read: impl FnOnce(&mut serde_json::Deserializer<serde_json::de::StrRead<'a>>) -> Result<T, serde_json::Error>,
) -> Result<T, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.disable_recursion_limit();
    let value = read(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}
