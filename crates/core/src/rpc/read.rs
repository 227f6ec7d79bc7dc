//! Reading values that nobody looks at: the part of JSON that `serde_json` leaves to its caller.
//!
//! **Input is never skipped unread.** `IgnoredAny` and an unchecked `RawValue` accept lone surrogates and bottomless
//! nesting in what they pass over, so that one peer would call a message JSON which another refuses. Everything here
//! looks at what it passes. This file is the only one that names `RawValue`.
//!
//! Numbers are not evaluated here: one that no double holds is JSON all the same, wherever it stands. `serde_json` evaluates
//! each number that it is asked to look at, and fails for such a one; [`parse`] then reads once more, [carefully](Scope).

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::number::{end_of_string, has_lone_surrogate};

/// Nesting of arrays and objects that a message may have. Deeper input is refused as unparseable (-32700).
const DEPTH: u8 = 128;

/// How a value is to be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope {
    /// Nesting that the value may have.
    depth: u8,
    care: Care,
}

/// Whether the type of a value is found out before `serde_json` looks at it. It costs a second look, so that it is done only
/// for what could not be read without.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Care {
    Fast,
    Careful,
    /// Careful, and this value is known to be an object.
    Object,
}

impl Scope {
    pub(super) fn is_careful(self) -> bool {
        self.care == Care::Careful
    }

    /// For what is inside of the value.
    pub(super) fn deeper<E: serde::de::Error>(self) -> Result<Self, E> {
        let depth = self.depth.checked_sub(1).ok_or_else(|| E::custom(TOO_DEEP))?;
        Ok(Self { depth, care: if self.care == Care::Fast { Care::Fast } else { Care::Careful } })
    }
}

const TOO_DEEP: &str = "nesting is deeper than 128";

/// Looks at one JSON value completely: its nesting, and the escapes of its strings. Its grammar was checked before.
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

/// One JSON value as it stood in the message, looked at and found well-formed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Raw<'a>(&'a str);

impl<'a> Raw<'a> {
    pub(crate) fn text(self) -> &'a str {
        self.0
    }

    pub(crate) fn is_object(self) -> bool {
        self.0.starts_with('{')
    }

    pub(crate) fn is_null(self) -> bool {
        self.0 == "null"
    }

    /// The string this value is, decoded; `None` for any other type.
    pub(crate) fn as_string(self) -> Option<String> {
        if self.0.starts_with('"') { serde_json::from_str(self.0).ok() } else { None }
    }
}

/// Reads a value as [`Raw`].
#[derive(Clone, Copy)]
pub(crate) struct RawSeed(pub(super) Scope);

impl<'de> DeserializeSeed<'de> for RawSeed {
    type Value = Raw<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Raw<'de>, D::Error> {
        let text = <&'de RawValue as serde::Deserialize>::deserialize(deserializer)?.get();
        // Other scalars have nothing to look at.
        if text.starts_with(['{', '[', '"']) {
            check(text, self.0.depth).map_err(D::Error::custom)?;
        }
        Ok(Raw(text))
    }
}

/// Looks at a value and keeps nothing of it. In place, where that can be: most of what is skipped is short.
#[derive(Clone, Copy)]
pub(super) struct Skip(pub(super) Scope);

impl Skip {
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

impl<'de> DeserializeSeed<'de> for Skip {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.0.is_careful() {
            return carefully(self.0, deserializer).map(drop);
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Skip {
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

/// What to do with the members of an object, and with a value that is none.
pub(super) trait Members<'de>: Sized {
    type Value;

    /// The value is null.
    fn null(self) -> Self::Value {
        self.not_an_object()
    }

    /// The value is of another type, and well-formed.
    fn not_an_object(self) -> Self::Value;

    /// Reads every member. `inner` is how their values are to be read.
    fn read<A: MapAccess<'de>>(self, members: A, inner: Scope) -> Result<Self::Value, A::Error>;
}

/// Reads a value as an object, in place.
#[derive(Clone, Copy)]
pub(super) struct Object<M> {
    pub(super) members: M,
    pub(super) scope: Scope,
}

impl<'de, M: Members<'de>> DeserializeSeed<'de> for Object<M> {
    type Value = M::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<M::Value, D::Error> {
        if self.scope.is_careful() {
            let raw = carefully(self.scope, deserializer)?;
            if raw.is_object() {
                let scope = Scope { care: Care::Object, ..self.scope };
                let mut deserializer = unlimited(raw.text());
                return Self { scope, ..self }.deserialize(&mut deserializer).map_err(D::Error::custom);
            }
            return Ok(if raw.is_null() { self.members.null() } else { self.members.not_an_object() });
        }
        // The only place that reads an object, so that compilers put the reading here.
        deserializer.deserialize_any(self)
    }
}

/// Reads a value of whatever type as it stands.
#[cold]
pub(super) fn carefully<'de, D: Deserializer<'de>>(scope: Scope, deserializer: D) -> Result<Raw<'de>, D::Error> {
    RawSeed(scope).deserialize(deserializer)
}

impl<'de, M: Members<'de>> Visitor<'de> for Object<M> {
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

/// Reads the whole of `text`, with our own count of the nesting in place of `serde_json`'s; once more, carefully, if that
/// fails.
pub(super) fn parse<'a, S: DeserializeSeed<'a>>(
    text: &'a str,
    seed: impl Fn(Scope) -> S,
) -> Result<S::Value, serde_json::Error> {
    let mut care = Care::Fast;
    loop {
        let mut deserializer = unlimited(text);
        let read = seed(Scope { depth: DEPTH, care }).deserialize(&mut deserializer);
        match read {
            Err(_) if care == Care::Fast => care = Care::Careful,
            Ok(value) => return deserializer.end().map(|()| value),
            Err(error) => return Err(error),
        }
    }
}

fn unlimited(text: &str) -> serde_json::Deserializer<serde_json::de::StrRead<'_>> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.disable_recursion_limit();
    deserializer
}
