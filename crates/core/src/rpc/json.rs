//! The two ends of JSON that `serde_json` leaves to its caller: reading values that nobody looks at, and writing objects
//! straight into a byte buffer.
//!
//! **Input is never skipped unread.** `IgnoredAny` and an unchecked `RawValue` accept lone surrogates and bottomless
//! nesting in what they pass over, so that one peer would call a message JSON which another refuses. Everything here
//! visits what it passes. This file is the only one that names `RawValue`.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::escape::{is_plain, write_string};

/// Nesting of arrays and objects that a message may have. Deeper input is refused as unparseable (-32700).
pub(crate) const DEPTH: u8 = 128;

/// Visits one value completely and keeps nothing.
#[derive(Clone, Copy)]
pub(crate) struct Skip {
    depth: u8,
}

impl Skip {
    pub(crate) fn within(depth: u8) -> Self {
        Self { depth }
    }

    fn deeper<E: serde::de::Error>(self) -> Result<Self, E> {
        let depth = self.depth.checked_sub(1).ok_or_else(|| E::custom("nesting is deeper than 128"))?;
        Ok(Self { depth })
    }
}

impl<'de> DeserializeSeed<'de> for Skip {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
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

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let inner = self.deeper()?;
        while items.next_element_seed(inner)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let inner = self.deeper()?;
        while members.next_key_seed(inner)?.is_some() {
            members.next_value_seed(inner)?;
        }
        Ok(())
    }
}

/// One JSON value as it stood in the message, visited and found well-formed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Raw<'a>(&'a str);

impl<'a> Raw<'a> {
    pub(crate) fn text(self) -> &'a str {
        self.0
    }

    pub(crate) fn is_object(self) -> bool {
        self.0.starts_with('{')
    }

    /// The string this value is, decoded; `None` for any other type.
    pub(crate) fn as_string(self) -> Option<String> {
        if self.0.starts_with('"') { serde_json::from_str(self.0).ok() } else { None }
    }
}

/// Reads a value as [`Raw`].
#[derive(Clone, Copy)]
pub(crate) struct RawSeed {
    depth: u8,
}

impl RawSeed {
    pub(crate) fn within(depth: u8) -> Self {
        Self { depth }
    }
}

impl<'de> DeserializeSeed<'de> for RawSeed {
    type Value = Raw<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Raw<'de>, D::Error> {
        let text = <&'de RawValue as serde::Deserialize>::deserialize(deserializer)?.get();
        // Scalars other than strings were read to their end already.
        if text.starts_with(['{', '[', '"']) {
            parse(text, Skip::within(self.depth)).map_err(D::Error::custom)?;
        }
        Ok(Raw(text))
    }
}

/// What to do with the members of an object, and with a value that is none.
pub(super) trait Members<'de>: Sized {
    type Value;

    /// The value is of another type, and well-formed.
    fn not_an_object(self) -> Self::Value;

    /// Reads every member. `depth` is what is left for their values.
    fn read<A: MapAccess<'de>>(self, members: A, depth: u8) -> Result<Self::Value, A::Error>;
}

/// Reads a value as an object, in place.
#[derive(Clone, Copy)]
pub(super) struct Object<M> {
    pub(super) members: M,
    pub(super) depth: u8,
}

impl<'de, M: Members<'de>> DeserializeSeed<'de> for Object<M> {
    type Value = M::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<M::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
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
        Ok(self.members.not_an_object())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<M::Value, A::Error> {
        Skip::within(self.depth).visit_seq(items)?;
        Ok(self.members.not_an_object())
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<M::Value, A::Error> {
        let depth = Skip::within(self.depth).deeper()?.depth;
        self.members.read(members, depth)
    }
}

/// Runs a seed over the whole of `text`, with our own depth count in place of `serde_json`'s.
pub(crate) fn parse<'a, S: DeserializeSeed<'a>>(text: &'a str, seed: S) -> Result<S::Value, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.disable_recursion_limit();
    let value = seed.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// Writes one JSON object, member by member, into a buffer.
pub(crate) struct Json<'a> {
    out: &'a mut Vec<u8>,
    first: bool,
}

impl<'a> Json<'a> {
    /// Opens an object.
    pub(crate) fn object(out: &'a mut Vec<u8>) -> Self {
        out.push(b'{');
        Self { out, first: true }
    }

    /// Closes it.
    pub(crate) fn end(self) {
        self.out.push(b'}');
    }

    /// Starts a member of ours; its value is to be written to the returned buffer.
    pub(crate) fn member(&mut self, name: &'static str) -> &mut Vec<u8> {
        debug_assert!(is_plain(name), "{name:?} is not its own spelling");
        self.separate();
        self.out.push(b'"');
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
        self.out
    }

    fn separate(&mut self) {
        if !self.first {
            self.out.push(b',');
        }
        self.first = false;
    }

    pub(crate) fn string(&mut self, name: &'static str, value: &str) {
        write_string(self.member(name), value);
    }

    pub(crate) fn optional(&mut self, name: &'static str, value: Option<&str>) {
        if let Some(value) = value {
            self.string(name, value);
        }
    }

    pub(crate) fn number(&mut self, name: &'static str, value: u64) {
        write_number(self.member(name), value);
    }

    /// A member whose value is JSON already.
    pub(crate) fn raw(&mut self, name: &'static str, value: &[u8]) {
        self.member(name).extend_from_slice(value);
    }

    /// A member whose name is the author's.
    pub(crate) fn value(&mut self, name: &str, value: &serde_json::Value) {
        self.separate();
        write_string(self.out, name);
        self.out.push(b':');
        write_value(self.out, value);
    }
}

/// Appends an unsigned integer.
pub(crate) fn write_number(out: &mut Vec<u8>, value: u64) {
    serde_json::to_writer(out, &value).expect("an integer is representable and a vector takes every write");
}

/// Appends a value.
pub(crate) fn write_value(out: &mut Vec<u8>, value: &serde_json::Value) {
    serde_json::to_writer(out, value).expect("a JSON value is representable and a vector takes every write");
}

/// Appends a comma-separated array.
pub(crate) fn write_array<T>(
    out: &mut Vec<u8>,
    items: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut Vec<u8>, T),
) {
    out.push(b'[');
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write(out, item);
    }
    out.push(b']');
}
