//! Schemas that `schemars` derives from Rust types, limited to the formats that JSON Schema defines.
//!
//! `schemars` describes the width of a number with formats of its own, such as `uint8`. Some client libraries warn of a
//! format that they do not know, or reject the tool. Here `minimum` and `maximum` give the width, so that the type
//! accepts every number that the schema accepts.

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use serde_json::Value;

use super::Schema;

/// The formats of JSON Schema 2020-12 (validation, section 7.3).
const FORMATS: &[&str] = &[
    "date",
    "date-time",
    "duration",
    "email",
    "hostname",
    "idn-email",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "iri",
    "iri-reference",
    "json-pointer",
    "regex",
    "relative-json-pointer",
    "time",
    "uri",
    "uri-reference",
    "uri-template",
    "uuid",
];

impl Schema {
    pub(crate) fn of_input<T: schemars::JsonSchema>() -> Self {
        SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>().into()
    }

    pub(crate) fn of_output<T: schemars::JsonSchema>() -> Self {
        SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>().into()
    }
}

impl From<schemars::Schema> for Schema {
    fn from(mut schema: schemars::Schema) -> Self {
        RecursiveTransform(known_format).transform(&mut schema);
        schema.to_value().into()
    }
}

/// Removes a format that JSON Schema does not define, and adds the range that it stands for.
fn known_format(schema: &mut schemars::Schema) {
    let Some(format) = schema.get("format").and_then(Value::as_str) else { return };
    if FORMATS.contains(&format) {
        return;
    }
    let range = range(format);
    schema.remove("format");
    let Some((least, most)) = range else { return };
    // A range from the author is narrower, so it stays.
    let has = |schema: &schemars::Schema, names: [&str; 2]| names.into_iter().any(|name| schema.get(name).is_some());
    if !has(schema, ["minimum", "exclusiveMinimum"]) {
        schema.insert("minimum".to_owned(), least);
    }
    if !has(schema, ["maximum", "exclusiveMaximum"]) {
        schema.insert("maximum".to_owned(), most);
    }
}

/// The smallest and the largest integer of that format. Those of 128 bits have no entry: a [`Value`] cannot hold their
/// bounds.
fn range(format: &str) -> Option<(Value, Value)> {
    Some(match format {
        "int8" => (i8::MIN.into(), i8::MAX.into()),
        "int16" => (i16::MIN.into(), i16::MAX.into()),
        "int32" => (i32::MIN.into(), i32::MAX.into()),
        "int64" => (i64::MIN.into(), i64::MAX.into()),
        "int" => (isize::MIN.into(), isize::MAX.into()),
        "uint8" => (0.into(), u8::MAX.into()),
        "uint16" => (0.into(), u16::MAX.into()),
        "uint32" => (0.into(), u32::MAX.into()),
        "uint64" => (0.into(), u64::MAX.into()),
        "uint" => (0.into(), usize::MAX.into()),
        _ => return None,
    })
}
