//! Reads the members of a JSON object that somebody asks for, and checks the others without keeping them.
//!
//! A token is read on every request, and most of what it says is never asked for: a map of all of it would cost more than
//! everything else beside the signature. **What is skipped is visited**, so that what passes here is JSON as a whole. Of members
//! with the same name the last one counts, as RFC 7519 section 4 has it.

use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// The values of these members, in the order of the names; `None` if it is no JSON object.
pub(crate) fn read<const N: usize>(json: &[u8], names: &[&str; N]) -> Option<[Option<Value>; N]> {
    // Checked once, and not again for each string.
    let json = std::str::from_utf8(json).ok()?;
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let members = deserializer.deserialize_map(Members(names)).ok()?;
    deserializer.end().ok()?;
    Some(members)
}

struct Members<'a, const N: usize>(&'a [&'a str; N]);

impl<'de, const N: usize> Visitor<'de> for Members<'_, N> {
    type Value = [Option<Value>; N];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = [const { None }; N];
        while let Some(place) = map.next_key_seed(Place(self.0))? {
            match place.and_then(|place| members.get_mut(place)) {
                Some(member) => *member = Some(map.next_value()?),
                None => map.next_value::<Skipped>().map(drop)?,
            }
        }
        Ok(members)
    }
}

/// The place of a member's name in a list.
struct Place<'a>(&'a [&'a str]);

impl<'de> DeserializeSeed<'de> for Place<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Place<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a member")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().position(|known| *known == name))
    }
}

/// Any value, visited to its end.
struct Skipped;

impl<'de> Deserialize<'de> for Skipped {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for Skipped {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self, A::Error> {
        while seq.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self, A::Error> {
        while map.next_entry::<Self, Self>()?.is_some() {}
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Map, Value, json};

    use super::read;

    #[test]
    fn only_what_is_asked_for_is_kept() {
        let json = br#"{"a": [1], "x": {"a": {"b": [1.5, -2, true, null, "\u00e9"]}}, "b": "c", "a": {"d": 1}}"#;
        assert_eq!(read(json, &["b", "a", "none"]), Some([Some(json!("c")), Some(json!({ "d": 1 })), None]));
    }

    #[test]
    fn what_is_skipped_is_json_all_the_same() {
        for json in [
            &br#"{"x": "\ud800"}"#[..],
            b"{\"x\": \"\xff\"}",
            b"{\"\xff\": 1}",
            br#"{"x": 1e999}"#,
            br#"{"x": 01}"#,
            br#"{"x": {"y": tru}}"#,
            br#"{"x": 1} {}"#,
            br#"{"x": 1,}"#,
            b"[]",
            b"",
        ] {
            assert_eq!(read(json, &["a"]), None, "{}", String::from_utf8_lossy(json));
        }
        let deep = format!("{{\"x\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(read(deep.as_bytes(), &["a"]), None);
    }

    proptest! {
        /// What is kept of the claims is read again when somebody asks for another one, and must then be JSON too.
        #[test]
        fn what_passes_is_a_map_with_the_same_members(bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..32),
            "\\{(\"[abx]\": ?([0-9eE.+-]{0,5}|\"[a-z\\\\u0-9]{0,6}\"|\\[\\]|null|true)?,? ?){0,3}\\}".prop_map(String::into_bytes),
        ]) {
            let map = serde_json::from_slice::<Map<String, Value>>(&bytes).ok();
            let expected = map.map(|map| [map.get("a").cloned(), map.get("b").cloned()]);
            prop_assert_eq!(read(&bytes, &["a", "b"]), expected);
        }
    }
}
