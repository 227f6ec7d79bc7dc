//! Members of an object: their names, each once, and those that ought to be strings.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::read::{Raw, Scope, Skip};

/// A member that ought to be a string.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) enum Slot<'a> {
    #[default]
    Absent,
    /// There, and null: absent where the member may be, and of a wrong type where it may not.
    Null,
    Text(Cow<'a, str>),
    /// There, and of another type.
    Other,
}

impl<'a> Slot<'a> {
    fn of_raw(raw: Raw<'a>) -> Self {
        match raw.as_string() {
            Some(text) => Slot::Text(Cow::Owned(text)),
            None if raw.is_null() => Slot::Null,
            None => Slot::Other,
        }
    }
}

impl Slot<'_> {
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Slot::Text(text) => Some(text),
            Slot::Absent | Slot::Null | Slot::Other => None,
        }
    }
}

/// Reads a member that ought to be a string, and looks at it if it is none.
#[derive(Clone, Copy)]
pub(super) struct SlotSeed<const C: bool>(pub(super) Scope<C>);

impl<'de, const C: bool> DeserializeSeed<'de> for SlotSeed<C> {
    type Value = Slot<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        if C {
            return self.0.raw().deserialize(deserializer).map(Slot::of_raw);
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de, const C: bool> Visitor<'de> for SlotSeed<C> {
    type Value = Slot<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Slot<'de>, E> {
        Ok(Slot::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Slot<'de>, E> {
        Ok(Slot::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Slot<'de>, E> {
        Ok(Slot::Other)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Slot<'de>, E> {
        Ok(Slot::Other)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Slot<'de>, E> {
        Ok(Slot::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Slot<'de>, E> {
        Ok(Slot::Other)
    }

    fn visit_unit<E>(self) -> Result<Slot<'de>, E> {
        Ok(Slot::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Slot<'de>, A::Error> {
        Skip(self.0).items(items)?;
        Ok(Slot::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Slot<'de>, A::Error> {
        Skip(self.0).members(members)?;
        Ok(Slot::Other)
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

/// Notices the first member name that an object has twice. An intermediary may have acted on the other one.
#[derive(Default)]
pub(super) struct Seen<'a> {
    /// The first names, compared one by one and without an allocation.
    few: [&'a str; FEW],
    count: usize,
    /// The others, so that an object with very many costs no quadratic time; and those that had escapes.
    many: Option<HashSet<Cow<'a, str>>>,
    pub(super) repeated: Option<String>,
}

const FEW: usize = 8;

impl<'a> Seen<'a> {
    pub(super) fn note(&mut self, name: Cow<'a, str>) {
        let is_one_of_few = self.few.iter().take(self.count).any(|other| *other == name);
        if is_one_of_few || self.many.as_ref().is_some_and(|many| many.contains(&name)) {
            self.repeated.get_or_insert_with(|| name.into_owned());
            return;
        }
        match (name, self.few.get_mut(self.count)) {
            (Cow::Borrowed(name), Some(place)) => {
                *place = name;
                self.count += 1;
            }
            (name, _) => {
                self.many.get_or_insert_default().insert(name);
            }
        }
    }
}
