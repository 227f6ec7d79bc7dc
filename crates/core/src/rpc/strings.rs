//! Objects whose members are all strings, and arrays of strings, read in one pass. **Only named members and the first elements are kept**,
//! so that one with very many takes no memory.
//!
//! Only for JSON that was checked when its message was read.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::Deserializer as _;
use serde::de::{MapAccess, SeqAccess, Visitor};

use super::field::{Name, StringField, StringFieldSeed};
use super::read::{Members, Raw, Scope, parse};

/// Why a value is not an object of strings.
#[derive(Debug, Eq, PartialEq)]
pub(crate) enum NotStrings {
    NotAnObject,
    /// Not an array, or one with an element that is no string.
    NotAnArray,
    /// The member with this name is of another type.
    Member(String),
}

impl Raw<'_> {
    /// The first elements of an array of strings, each once: `most` of them, with so many bytes in all.
    ///
    /// # Errors
    /// If the value is not such an array.
    pub(crate) fn first_strings(self, most: usize, bytes: usize) -> Result<Vec<String>, NotStrings> {
        let mut deserializer = serde_json::Deserializer::from_str(self.text());
        deserializer.deserialize_seq(First { most, bytes }).map_err(|_| NotStrings::NotAnArray)
    }

    /// The members with these names, in this order, of an object whose members are all strings. Of a repeated one the last counts.
    ///
    /// # Errors
    /// If the value is not such an object.
    pub(crate) fn strings<'n>(self, names: &[&'n str]) -> Result<Vec<(&'n str, String)>, NotStrings> {
        let found = parse(self.text(), Strings { names }).unwrap_or(Err(NotStrings::NotAnObject))?;
        Ok(names.iter().zip(found).filter_map(|(name, value)| Some((*name, value?))).collect())
    }
}

/// The first elements of an array of strings, each once.
struct First {
    /// How many elements, and bytes of them, are kept at most.
    most: usize,
    bytes: usize,
}

impl<'de> Visitor<'de> for First {
    type Value = Vec<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of strings")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<String>, A::Error> {
        let (mut kept, mut seen, mut bytes) = (Vec::new(), HashSet::new(), 0);
        while let Some(item) = items.next_element::<Cow<'de, str>>()? {
            if kept.len() < self.most && bytes + item.len() <= self.bytes && seen.insert(item.to_string()) {
                bytes += item.len();
                kept.push(item.into_owned());
            }
        }
        Ok(kept)
    }
}

#[derive(Clone, Copy)]
struct Strings<'s, 'n> {
    names: &'s [&'n str],
}

impl<'de> Members<'de> for Strings<'_, '_> {
    type Value = Result<Vec<Option<String>>, NotStrings>;

    fn not_an_object(self) -> Self::Value {
        Err(NotStrings::NotAnObject)
    }

    fn read<A: MapAccess<'de>, const C: bool>(self, mut members: A, inner: Scope<C>) -> Result<Self::Value, A::Error> {
        let mut found = vec![None; self.names.len()];
        let mut wrong = None;
        while let Some(Name(name)) = members.next_key()? {
            match members.next_value_seed(StringFieldSeed(inner))? {
                StringField::Text(text) => {
                    if let Some(place) = self.names.iter().position(|wanted| *wanted == name) {
                        found[place] = Some(text.into_owned());
                    }
                }
                _ => wrong = wrong.or_else(|| Some(name.into_owned())),
            }
        }
        Ok(wrong.map_or(Ok(found), |name| Err(NotStrings::Member(name))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings<'n>(json: &str, names: &[&'n str]) -> Result<Vec<(&'n str, String)>, NotStrings> {
        Raw::checked_before(json.as_bytes()).strings(names)
    }

    #[test]
    fn l2_4_only_named_members_are_kept() {
        let found = strings(r#"{"a":"1","b":"\u0032","z":"3","a":"4"}"#, &["b", "a", "c"]);
        assert_eq!(found, Ok(vec![("b", "2".to_owned()), ("a", "4".to_owned())]));
        assert_eq!(strings("{}", &["a"]), Ok(Vec::new()));
    }

    #[test]
    fn l3_11_the_first_strings_are_kept_each_once() {
        let first = |json: &str, most, bytes| Raw::checked_before(json.as_bytes()).first_strings(most, bytes);
        let strings = |all: &[&str]| Ok(all.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(first(r#"["b","a","b","\u0061","c"]"#, 9, 9), strings(&["b", "a", "c"]));
        assert_eq!(first(r#"["b","a","c"]"#, 2, 9), strings(&["b", "a"]));
        assert_eq!(first(r#"["b","long","c"]"#, 9, 2), strings(&["b", "c"]), "what is too long leaves room for others");
        for json in ["{}", "1", r#"["a",1]"#, r#"["a",null]"#, r#"[["a"]]"#] {
            assert_eq!(first(json, 0, 0), Err(NotStrings::NotAnArray), "{json}");
        }
    }

    #[test]
    fn l2_3_other_types_are_found_wherever_they_are() {
        for (json, name) in [(r#"{"a":1}"#, "a"), (r#"{"a":"1","b":null,"c":2}"#, "b"), (r#"{"z":{"a":"1"}}"#, "z")] {
            assert_eq!(strings(json, &["a"]), Err(NotStrings::Member(name.to_owned())));
        }
        // No double can hold this number.
        assert_eq!(strings(r#"{"a":1e400}"#, &["a"]), Err(NotStrings::Member("a".to_owned())));
        for json in ["[]", "\"a\"", "1", "null", "true"] {
            assert_eq!(strings(json, &["a"]), Err(NotStrings::NotAnObject));
        }
    }
}
