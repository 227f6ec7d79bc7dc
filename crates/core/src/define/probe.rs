//! Finds out at `build()` whether the type of a template's arguments fits its variables, before a client sends any: serde is asked for a
//! value of the type, and what it asks for is noted.
//!
//! Only what a type says of itself is found. A type that reads a map is asked nothing, and fits.

use grange_uri::{Variable, VariableKind};
use serde::de::value::{MapDeserializer, StrDeserializer};
use serde::de::{DeserializeOwned, Deserializer, IntoDeserializer, Visitor};

use super::variables::Unfit;

/// The problems of a type as the arguments of a template with these variables, each with its remedy.
pub(crate) fn problems<T: DeserializeOwned>(variables: &[Variable]) -> Vec<String> {
    let mut problems = Vec::new();
    let (result, shape) = probe::<T>(variables, true);
    match shape {
        Some(Shape::Fields(fields)) => {
            let without = variables.iter().filter(|variable| !fields.contains(&variable.name()));
            problems.extend(without.map(|variable| {
                let name = variable.name();
                format!("the arguments have no field for the variable `{name}`: add one, or take the variable out")
            }));
        }
        Some(Shape::OneValue) if variables.len() != 1 => problems.push(format!(
            "the arguments are one value, and the template has {} variables: take a struct with a field for each",
            variables.len()
        )),
        Some(Shape::OneValue) | None => {}
    }
    if let Err(Unfit::MissingField(field)) = result {
        problems.push(format!(
            "the field `{field}` of the arguments has no variable: add `{{{field}}}` to the uri, or make it an `Option`"
        ));
    } else if let (Err(Unfit::MissingField(field)), _) = probe::<T>(variables, false) {
        problems.push(format!(
            "the variable `{field}` of the query may be absent: make its field an `Option`, or add `#[serde(default)]`"
        ));
    }
    problems
}

/// What a type reads itself from.
enum Shape {
    Fields(&'static [&'static str]),
    OneValue,
}

fn probe<T: DeserializeOwned>(variables: &[Variable], with_query: bool) -> (Result<(), Unfit>, Option<Shape>) {
    let mut shape = None;
    let result = T::deserialize(Probe { variables, with_query, shape: &mut shape }).map(drop);
    (result, shape)
}

struct Probe<'a> {
    variables: &'a [Variable],
    /// Whether the variables of the query have values.
    with_query: bool,
    shape: &'a mut Option<Shape>,
}

/// Notes that the type is one value.
macro_rules! one_value {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
            *self.shape = Some(Shape::OneValue);
            Any.$method(visitor)
        }
    )*};
}

impl<'de> Deserializer<'de> for Probe<'de> {
    type Error = Unfit;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Unfit> {
        Err(Unfit::Other)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unfit> {
        *self.shape = Some(Shape::Fields(fields));
        let with_query = self.with_query;
        let present = move |variable: &&Variable| with_query || variable.kind() != VariableKind::Query;
        let named = self.variables.iter().filter(present).map(|variable| (variable.name(), Any));
        visitor.visit_map(MapDeserializer::new(named))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_newtype_struct(self)
    }

    one_value! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128 deserialize_f32 deserialize_f64
        deserialize_char deserialize_str deserialize_string
    }

    serde::forward_to_deserialize_any! {
        bytes byte_buf option unit unit_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// A value that suits most types.
#[derive(Clone, Copy)]
struct Any;

impl IntoDeserializer<'_, Unfit> for Any {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// Gives each type a value.
macro_rules! give {
    ($($method:ident $visit:ident $value:expr),* $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
            visitor.$visit($value)
        }
    )*};
}

impl<'de> Deserializer<'de> for Any {
    type Error = Unfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_str("0")
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_none()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_seq(serde::de::value::SeqDeserializer::new(std::iter::empty::<Self>()))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unfit> {
        visitor.visit_enum(StrDeserializer::new(variants.first().ok_or(Unfit::Other)?))
    }

    give! {
        deserialize_bool visit_bool false,
        deserialize_i8 visit_i8 0, deserialize_i16 visit_i16 0, deserialize_i32 visit_i32 0, deserialize_i64 visit_i64 0,
        deserialize_i128 visit_i128 0, deserialize_u8 visit_u8 0, deserialize_u16 visit_u16 0,
        deserialize_u32 visit_u32 0, deserialize_u64 visit_u64 0, deserialize_u128 visit_u128 0,
        deserialize_f32 visit_f32 0.0, deserialize_f64 visit_f64 0.0, deserialize_char visit_char '0',
    }

    serde::forward_to_deserialize_any! {
        str string bytes byte_buf unit unit_struct tuple tuple_struct map struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use grange_uri::{Template, Values};
    use serde::Deserialize;

    use super::*;
    use crate::define::variables::Variables;

    #[derive(Debug, Deserialize, PartialEq)]
    struct Search {
        id: u64,
        limit: Option<u32>,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    struct Required {
        id: u64,
        limit: u32,
    }

    fn found<T: DeserializeOwned>(template: &str) -> Vec<String> {
        problems::<T>(Template::parse(template).expect("a template").variables())
    }

    /// A type without a problem is read from the values, and one with a required field that has no value is not.
    #[test]
    fn l1_3_what_has_no_problem_can_be_read() {
        let values = Values::new().with("id", "7");
        let variables = || Variables { values: &values, is_single: false };
        assert_eq!(Search::deserialize(variables()), Ok(Search { id: 7, limit: None }));
        assert_eq!(Required::deserialize(variables()), Err(Unfit::MissingField("limit")));
        let values = values.clone().with("limit", "5");
        let variables = Variables { values: &values, is_single: false };
        assert_eq!(Required::deserialize(variables), Ok(Required { id: 7, limit: 5 }));
    }

    #[test]
    fn l1_3_arguments_that_fit_have_no_problem() {
        assert_eq!(found::<Search>("orders://{id}{?limit}"), [""; 0]);
        assert_eq!(found::<Search>("orders://{id}"), [""; 0]);
        assert_eq!(found::<HashMap<String, String>>("orders://{id}/{other}"), [""; 0]);
        assert_eq!((found::<u64>("orders://{id}"), found::<String>("orders://{id}")), (Vec::new(), Vec::new()));
        assert_eq!(found::<()>("orders://{id}"), [""; 0]);
    }

    #[test]
    fn l1_3_a_variable_without_a_field_and_a_field_without_a_variable_are_mistakes() {
        let [problem] = &found::<Search>("orders://{id}/{part}")[..] else { panic!("one problem") };
        assert!(problem.contains("no field for the variable `part`"), "{problem}");
        let [problem] = &found::<Required>("orders://{id}")[..] else { panic!("one problem") };
        assert!(problem.contains("the field `limit`") && problem.contains("`{limit}`"), "{problem}");
        let [problem] = &found::<Required>("orders://{id}{?limit}")[..] else { panic!("one problem") };
        assert!(problem.contains("the variable `limit` of the query may be absent"), "{problem}");
        let [problem] = &found::<String>("orders://{id}/{part}")[..] else { panic!("one problem") };
        assert!(problem.contains("has 2 variables"), "{problem}");
    }
}
