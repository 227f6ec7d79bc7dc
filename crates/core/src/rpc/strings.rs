//! Objects whose members are all strings, read in one pass. **Only named members are kept**, so that an object with very many takes no
//! memory.
//!
//! Only for JSON that was checked when its message was read.

use serde::de::MapAccess;

use super::field::{Name, StringField, StringFieldSeed};
use super::read::{Members, Raw, Scope, parse};

/// Why a value is not an object of strings.
#[derive(Debug, Eq, PartialEq)]
pub(crate) enum NotStrings {
    NotAnObject,
    /// The member with this name is of another type.
    Member(String),
}

impl Raw<'_> {
    /// The members with these names, in this order, of an object whose members are all strings. Of a repeated one the last counts.
    ///
    /// # Errors
    /// If the value is not such an object.
    pub(crate) fn strings<'n>(self, names: &[&'n str]) -> Result<Vec<(&'n str, String)>, NotStrings> {
        let found = parse(self.text(), Strings { names }).unwrap_or(Err(NotStrings::NotAnObject))?;
        Ok(names.iter().zip(found).filter_map(|(name, value)| Some((*name, value?))).collect())
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
