//! Reads some members of a JSON object, and checks the others without keeping them.
//!
//! A token is read on every request, and most of its members are not needed: a map of all of them would cost more than everything
//! else, except the signature. **Members that are skipped are still visited**, so that only an object that is JSON as a whole is
//! accepted. Of members with the same name the last one counts, as RFC 7519 section 4 has it.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// The value of a member, as far as it is used. Strings are borrowed from the JSON unless they have escapes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Member<'a> {
    Text(Cow<'a, str>),
    /// The strings of a list; other elements are left out.
    List(Vec<Cow<'a, str>>),
    Number(f64),
    /// Null, a boolean or an object.
    Other,
}

impl Member<'_> {
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The strings of a value that is one string or a list of them.
    pub(crate) fn listed(&self) -> impl Iterator<Item = &str> {
        let several = match self {
            Self::List(list) => &list[..],
            _ => &[],
        };
        self.text().into_iter().chain(several.iter().map(|text| &**text))
    }

    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }
}

/// The values of these members, in the order of the names; `None` if it is no JSON object.
pub(crate) fn read<'a, const N: usize>(json: &'a [u8], names: &[&str; N]) -> Option<[Option<Member<'a>>; N]> {
    // Checked once, and not again for each string.
    let json = std::str::from_utf8(json).ok()?;
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let members = deserializer.deserialize_map(Members(names)).ok()?;
    deserializer.end().ok()?;
    Some(members)
}

struct Members<'a, const N: usize>(&'a [&'a str; N]);

impl<'de, const N: usize> Visitor<'de> for Members<'_, N> {
    type Value = [Option<Member<'de>>; N];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = [const { None }; N];
        while let Some(place) = map.next_key_seed(AtPath(self.0))? {
            match place.and_then(|place| members.get_mut(place)) {
                Some(member) => *member = Some(map.next_value()?),
                None => map.next_value::<Skipped>().map(drop)?,
            }
        }
        Ok(members)
    }
}

impl<'de> Deserialize<'de> for Member<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyMember)
    }
}

struct AnyMember;

impl<'de> Visitor<'de> for AnyMember {
    type Value = Member<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Member::Other)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Member::Other)
    }

    #[allow(clippy::cast_precision_loss, reason = "times are compared as fractions of seconds")]
    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Member::Number(number as f64))
    }

    #[allow(clippy::cast_precision_loss, reason = "times are compared as fractions of seconds")]
    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Member::Number(number as f64))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
        Ok(Member::Number(number))
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Member::Text(text.into()))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Member::Text(text.to_owned().into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = seq.next_element()? {
            if let Member::Text(text) = element {
                list.push(text);
            }
        }
        Ok(Member::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        Skipped.visit_map(map).map(|Skipped| Member::Other)
    }
}

/// The place of a member's name in a list.
struct AtPath<'a>(&'a [&'a str]);

impl<'de> DeserializeSeed<'de> for AtPath<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for AtPath<'_> {
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
    use serde_json::{Map, Value};

    use super::{Member, read};

    /// The same value, as it is kept.
    fn kept(value: &Value) -> Member<'_> {
        match value {
            Value::String(text) => Member::Text(text.into()),
            Value::Array(list) => {
                Member::List(list.iter().filter_map(|element| Some(element.as_str()?.into())).collect())
            }
            Value::Number(number) => Member::Number(number.as_f64().unwrap_or_default()),
            Value::Null | Value::Bool(_) | Value::Object(_) => Member::Other,
        }
    }

    #[test]
    fn only_the_named_members_are_kept() {
        let json = br#"{"a": [1], "x": {"a": {"b": [1.5, -2, true, null, "\u00e9"]}}, "b": "c", "a": {"d": 1}}"#;
        assert_eq!(read(json, &["b", "a", "none"]), Some([Some(Member::Text("c".into())), Some(Member::Other), None]));
        let json = br#"{"a": ["x", 1, ["y"], "\u00e9"], "b": -2.5}"#;
        let list = Member::List(vec!["x".into(), "\u{e9}".into()]);
        assert_eq!(read(json, &["a", "b"]), Some([Some(list.clone()), Some(Member::Number(-2.5))]));
        assert_eq!((list.listed().collect::<Vec<_>>(), list.text(), list.number()), (vec!["x", "\u{e9}"], None, None));
    }

    #[test]
    fn skipped_members_must_be_json_too() {
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
        /// The claims are parsed again when another member is needed, and must then be JSON.
        #[test]
        fn an_accepted_object_is_a_map_with_the_same_members(bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..32),
            "\\{(\"[abx]\": ?([0-9eE.+-]{0,5}|\"[a-z\\\\u0-9]{0,6}\"|\\[\\]|null|true)?,? ?){0,3}\\}".prop_map(String::into_bytes),
        ]) {
            let map = serde_json::from_slice::<Map<String, Value>>(&bytes).ok();
            let expected = map.as_ref().map(|map| [map.get("a").map(kept), map.get("b").map(kept)]);
            prop_assert_eq!(read(&bytes, &["a", "b"]), expected);
        }
    }
}
