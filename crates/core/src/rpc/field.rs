//! Members of an object: their names, each allowed once, and the members that should be strings.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::read::{Raw, Scope, Skip};

/// A member that should be a string.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) enum StringField<'a> {
    #[default]
    Absent,
    /// Null. It counts as absent where the member is optional, and as a wrong type where it is required.
    Null,
    Text(Cow<'a, str>),
    /// A value of another type.
    Other,
}

impl<'a> StringField<'a> {
    fn of_raw(raw: Raw<'a>) -> Self {
        match raw.as_string() {
            Some(text) => StringField::Text(Cow::Owned(text)),
            None if raw.is_null() => StringField::Null,
            None => StringField::Other,
        }
    }
}

impl StringField<'_> {
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            StringField::Text(text) => Some(text),
            StringField::Absent | StringField::Null | StringField::Other => None,
        }
    }
}

/// Reads a member that should be a string. A value of another type is checked and not kept.
#[derive(Clone, Copy)]
pub(super) struct StringFieldSeed<const C: bool>(pub(super) Scope<C>);

impl<'de, const C: bool> DeserializeSeed<'de> for StringFieldSeed<C> {
    type Value = StringField<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        if C {
            return self.0.raw().deserialize(deserializer).map(StringField::of_raw);
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de, const C: bool> Visitor<'de> for StringFieldSeed<C> {
    type Value = StringField<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<StringField<'de>, E> {
        Ok(StringField::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<StringField<'de>, E> {
        Ok(StringField::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_bool<E>(self, _: bool) -> Result<StringField<'de>, E> {
        Ok(StringField::Other)
    }

    fn visit_i64<E>(self, _: i64) -> Result<StringField<'de>, E> {
        Ok(StringField::Other)
    }

    fn visit_u64<E>(self, _: u64) -> Result<StringField<'de>, E> {
        Ok(StringField::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<StringField<'de>, E> {
        Ok(StringField::Other)
    }

    fn visit_unit<E>(self) -> Result<StringField<'de>, E> {
        Ok(StringField::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<StringField<'de>, A::Error> {
        Skip(self.0).items(items)?;
        Ok(StringField::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<StringField<'de>, A::Error> {
        Skip(self.0).members(members)?;
        Ok(StringField::Other)
    }
}

/// A member name, borrowed unless it was written with escapes.
pub(super) struct Name<'a>(pub(super) Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Name<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(NameVisitor)
    }
}

struct NameVisitor;

impl<'de> Visitor<'de> for NameVisitor {
    type Value = Name<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member name")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Name<'de>, E> {
        Ok(Name(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Name<'de>, E> {
        Ok(Name(Cow::Owned(text.to_owned())))
    }
}

/// Finds the first member name that occurs twice in an object. An intermediary may have used the other value.
#[derive(Default)]
pub(super) struct DuplicateNames<'a> {
    /// The first names, compared one by one and without an allocation.
    few: [&'a str; FEW],
    count: usize,
    /// The other names, hashed so that an object with very many does not take quadratic time; and names with escapes.
    many: Option<HashSet<Cow<'a, str>>>,
    pub(super) repeated: Option<String>,
}

const FEW: usize = 8;

impl<'a> DuplicateNames<'a> {
    pub(super) fn note(&mut self, name: Cow<'a, str>) {
        match (&name, &self.many) {
            (Cow::Borrowed(text), None) if self.count < FEW && !self.is_one_of_few(text) => {
                self.few[self.count] = text;
                self.count += 1;
            }
            _ => self.note_rare(name),
        }
    }

    fn is_one_of_few(&self, name: &str) -> bool {
        self.few[..self.count].contains(&name)
    }

    /// Handles a name that occurs twice, has escapes, or is one of very many.
    #[cold]
    fn note_rare(&mut self, name: Cow<'a, str>) {
        let is_repeated = self.is_one_of_few(&name) || self.many.as_ref().is_some_and(|many| many.contains(&name));
        if is_repeated {
            self.repeated.get_or_insert_with(|| name.into_owned());
        } else {
            self.many.get_or_insert_default().insert(name);
        }
    }
}
