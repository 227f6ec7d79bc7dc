//! The decoded values of a template's variables, as serde reads a Rust type from them: a struct or a map by name, or, where the template
//! has one variable, a bare value.
//!
//! Every value is text. Numbers and booleans are parsed where the type asks for them. A value that does not fit is no error with a text:
//! the client learns that the resource is unknown.

use std::fmt;

use grange_uri::{Value, Values};
use serde::de::value::{MapDeserializer, StrDeserializer};
use serde::de::{self, Deserializer, IntoDeserializer, Visitor};

/// The values do not fit the type.
#[derive(Debug, Eq, PartialEq)]
pub(crate) enum Unfit {
    /// The type needs this field.
    MissingField(&'static str),
    Other,
}

impl de::Error for Unfit {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self::Other
    }

    fn missing_field(field: &'static str) -> Self {
        Self::MissingField(field)
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the values do not fit")
    }
}

impl std::error::Error for Unfit {}

/// The values of one URI.
pub(crate) struct Variables<'a> {
    pub(crate) values: &'a Values,
    /// Whether the template has one variable, so that its value may be the whole of the arguments.
    pub(crate) is_single: bool,
}

impl<'a> Variables<'a> {
    /// The bare value, if the template has one variable; `None` if it is absent.
    fn single(&self) -> Result<Option<One<'a>>, Unfit> {
        if self.is_single { Ok(self.values.iter().next().map(|(_, value)| One(value))) } else { Err(Unfit::Other) }
    }

    fn present(&self) -> Result<One<'a>, Unfit> {
        self.single()?.ok_or(Unfit::Other)
    }
}

/// Forwards the types of a bare value.
macro_rules! forward_bare {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
            self.present()?.$method(visitor)
        }
    )*};
}

impl<'de> Deserializer<'de> for Variables<'de> {
    type Error = Unfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_map(MapDeserializer::new(self.values.iter().map(|(name, value)| (name, One(value)))))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        match self.single() {
            Ok(Some(one)) => visitor.visit_some(one),
            Ok(None) => visitor.visit_none(),
            Err(_) => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_unit()
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unfit> {
        self.present()?.deserialize_enum(name, variants, visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Unfit> {
        self.present()?.deserialize_tuple(length, visitor)
    }

    forward_bare! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128 deserialize_f32 deserialize_f64
        deserialize_char deserialize_str deserialize_string deserialize_bytes deserialize_byte_buf deserialize_seq
    }

    serde::forward_to_deserialize_any! { unit_struct tuple_struct map struct identifier ignored_any }
}

/// One value.
#[derive(Clone, Copy)]
struct One<'a>(&'a Value);

impl<'de> IntoDeserializer<'de, Unfit> for One<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> One<'de> {
    fn text(self) -> Result<Part<'de>, Unfit> {
        self.0.as_text().map(Part).ok_or(Unfit::Other)
    }
}

/// Forwards the types of one text.
macro_rules! forward_text {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
            self.text()?.$method(visitor)
        }
    )*};
}

impl<'de> Deserializer<'de> for One<'de> {
    type Error = Unfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        match self.0 {
            Value::Text(text) => visitor.visit_borrowed_str(text),
            Value::Segments(_) => self.deserialize_seq(visitor),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        let segments = self.0.as_segments().ok_or(Unfit::Other)?;
        visitor.visit_seq(de::value::SeqDeserializer::new(segments.iter().map(|segment| Part(segment))))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Unfit> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unfit> {
        self.text()?.deserialize_enum(name, variants, visitor)
    }

    forward_text! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128 deserialize_f32 deserialize_f64
        deserialize_char deserialize_str deserialize_string deserialize_bytes deserialize_byte_buf
    }

    serde::forward_to_deserialize_any! { unit unit_struct tuple_struct map struct identifier ignored_any }
}

/// One text: a value, or a segment of one.
#[derive(Clone, Copy)]
struct Part<'a>(&'a str);

impl<'de> IntoDeserializer<'de, Unfit> for Part<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// Parses the text. A number has no `+` before it, so that it has one spelling.
macro_rules! parse {
    ($($method:ident $visit:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
            let text = Some(self.0).filter(|text| !text.starts_with('+')).ok_or(Unfit::Other)?;
            visitor.$visit(text.parse().map_err(|_| Unfit::Other)?)
        }
    )*};
}

impl<'de> Deserializer<'de> for Part<'de> {
    type Error = Unfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_borrowed_str(self.0)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unfit> {
        visitor.visit_enum(StrDeserializer::new(self.0))
    }

    parse! {
        deserialize_bool visit_bool
        deserialize_i8 visit_i8 deserialize_i16 visit_i16 deserialize_i32 visit_i32 deserialize_i64 visit_i64
        deserialize_i128 visit_i128 deserialize_u8 visit_u8 deserialize_u16 visit_u16 deserialize_u32 visit_u32
        deserialize_u64 visit_u64 deserialize_u128 visit_u128 deserialize_f32 visit_f32 deserialize_f64 visit_f64
    }

    serde::forward_to_deserialize_any! {
        char str string bytes byte_buf seq tuple unit unit_struct tuple_struct map struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests;
