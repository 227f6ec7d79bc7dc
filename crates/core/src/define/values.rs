//! The values of a template's variables from a Rust value, as serde writes it: the inverse of `variables`.
//!
//! A struct or a map gives a value for each name; where the template has one variable, so does a bare value. Only what `variables` reads
//! back is written: a floating-point number has more than one spelling, and data within a value has no place in a URI.

use std::fmt::{self, Display};

use grange_uri::{Value, Values, Variable};
use serde::ser::{self, Impossible, Serialize, Serializer};

/// The values of `arguments` for a template with these variables.
pub(crate) fn values<A: Serialize + ?Sized>(arguments: &A, variables: &[Variable]) -> Result<Values, Unwritable> {
    let for_the_only_one = |problem: Unwritable| match variables {
        [only] if problem.name.is_none() => problem.within(only.name()),
        _ => problem,
    };
    match (arguments.serialize(Writer).map_err(for_the_only_one)?, variables) {
        (Written::Named(values), _) => Ok(values),
        (Written::One(None), _) => Ok(Values::new()),
        (Written::One(Some(value)), [only]) => Ok(Values::new().with(only.name(), value)),
        (Written::One(Some(_)), _) => Err(Unwritable::of("one value")),
    }
}

/// Some data is no value of a variable. Its `Display` follows the template.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct Unwritable {
    /// What was given, as a noun.
    given: String,
    /// The variable that it was given for; `None` if it was given for all of them.
    name: Option<String>,
}

impl Unwritable {
    fn of(given: &str) -> Self {
        Self { given: given.to_owned(), name: None }
    }

    /// The same for the variable. What is wrong inside its value makes that value data of its own.
    fn within(self, name: &str) -> Self {
        let given = if self.name.is_none() { self.given } else { NESTED.to_owned() };
        Self { given, name: Some(name.to_owned()) }
    }
}

const NESTED: &str = "a struct, a map or `()`";

impl ser::Error for Unwritable {
    fn custom<T: Display>(problem: T) -> Self {
        Self::of(&format!("a value that fails to serialize ({problem})"))
    }
}

impl Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { given, name } = self;
        match name {
            Some(name) => {
                write!(f, "has {given} for `{}`: give a text, a whole number, a boolean, ", name.escape_debug())?;
                f.write_str("an enum without data, or a list of these for several segments")
            }
            None => write!(f, "is given {given}: give a struct or a map with a value for each variable"),
        }
    }
}

impl std::error::Error for Unwritable {}

/// What serde wrote.
enum Written {
    /// One value, or its absence.
    One(Option<Value>),
    /// A value for each name.
    Named(Values),
}

impl Written {
    fn text(text: &impl ToString) -> Self {
        Self::One(Some(Value::Text(text.to_string())))
    }

    /// One text, as a name or a segment of a list.
    fn into_text(self, otherwise: &str) -> Result<String, Unwritable> {
        match self {
            Self::One(Some(Value::Text(text))) => Ok(text),
            _ => Err(Unwritable::of(otherwise)),
        }
    }
}

#[derive(Clone, Copy)]
struct Writer;

/// Writes types as text.
macro_rules! texts {
    ($($method:ident $type:ty),* $(,)?) => {$(
        fn $method(self, value: $type) -> Result<Written, Unwritable> {
            Ok(Written::text(&value))
        }
    )*};
}

impl Serializer for Writer {
    type Ok = Written;
    type Error = Unwritable;
    type SerializeSeq = List;
    type SerializeTuple = List;
    type SerializeTupleStruct = List;
    type SerializeTupleVariant = Impossible<Written, Unwritable>;
    type SerializeMap = Named;
    type SerializeStruct = Named;
    type SerializeStructVariant = Impossible<Written, Unwritable>;

    texts! {
        serialize_bool bool, serialize_char char, serialize_str &str,
        serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64, serialize_i128 i128,
        serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64, serialize_u128 u128,
    }

    fn serialize_f32(self, _: f32) -> Result<Written, Unwritable> {
        Err(Unwritable::of("a floating-point number"))
    }

    fn serialize_f64(self, _: f64) -> Result<Written, Unwritable> {
        Err(Unwritable::of("a floating-point number"))
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<Written, Unwritable> {
        Err(Unwritable::of("bytes"))
    }

    fn serialize_none(self) -> Result<Written, Unwritable> {
        Ok(Written::One(None))
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Written, Unwritable> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Written, Unwritable> {
        Ok(Written::Named(Values::new()))
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Written, Unwritable> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<Written, Unwritable> {
        Ok(Written::text(&variant))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Written, Unwritable> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Written, Unwritable> {
        Err(Unwritable::of("an enum with data"))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<List, Unwritable> {
        Ok(List(Vec::new()))
    }

    fn serialize_tuple(self, _: usize) -> Result<List, Unwritable> {
        Ok(List(Vec::new()))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<List, Unwritable> {
        Ok(List(Vec::new()))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Unwritable> {
        Err(Unwritable::of("an enum with data"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Named, Unwritable> {
        Ok(Named::default())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Named, Unwritable> {
        Ok(Named::default())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Unwritable> {
        Err(Unwritable::of("an enum with data"))
    }
}

/// The segments so far.
struct List(Vec<String>);

impl List {
    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        self.0.push(value.serialize(Writer)?.into_text("a list with more than texts in it")?);
        Ok(())
    }

    fn written(self) -> Written {
        Written::One(Some(Value::Segments(self.0)))
    }
}

/// The kinds of lists that serde knows.
macro_rules! lists {
    ($($list:ident $method:ident),*) => {$(
        impl ser::$list for List {
            type Ok = Written;
            type Error = Unwritable;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
                self.push(value)
            }

            fn end(self) -> Result<Written, Unwritable> {
                Ok(self.written())
            }
        }
    )*};
}

lists!(SerializeSeq serialize_element, SerializeTuple serialize_element, SerializeTupleStruct serialize_field);

/// The values so far, and the name of the next one in a map.
#[derive(Default)]
struct Named {
    values: Values,
    name: String,
}

impl Named {
    fn put<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Unwritable> {
        match value.serialize(Writer).map_err(|problem| problem.within(name))? {
            Written::One(Some(value)) => self.values.insert(name, value),
            Written::One(None) => {}
            Written::Named(_) => return Err(Unwritable::of(NESTED).within(name)),
        }
        Ok(())
    }
}

impl ser::SerializeStruct for Named {
    type Ok = Written;
    type Error = Unwritable;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Unwritable> {
        self.put(name, value)
    }

    fn end(self) -> Result<Written, Unwritable> {
        Ok(Written::Named(self.values))
    }
}

impl ser::SerializeMap for Named {
    type Ok = Written;
    type Error = Unwritable;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Unwritable> {
        self.name = key.serialize(Writer)?.into_text("a map with a key that is no text")?;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Unwritable> {
        let name = std::mem::take(&mut self.name);
        self.put(&name, value)
    }

    fn end(self) -> Result<Written, Unwritable> {
        Ok(Written::Named(self.values))
    }
}

#[cfg(test)]
mod tests;
