//! JSON Schemas of a tool's arguments and results. They are sent unchanged, and read only where MCP has a rule about
//! them.

use std::fmt;

use bytes::Bytes;
use serde_json::{Map, Value};

/// A JSON Schema, from a [`Value`] or from JSON text. Its dialect is 2020-12 unless `$schema` names another.
///
/// ```
/// use grange_core::Schema;
/// let by_hand = Schema::from(r#"{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}"#);
/// let same = Schema::from(serde_json::json!({
///     "type": "object", "properties": { "city": { "type": "string" } }, "required": ["city"],
/// }));
/// assert_eq!(by_hand.value(), same.value());
/// ```
#[derive(Clone, PartialEq)]
pub struct Schema {
    /// The JSON that is sent.
    json: Bytes,
    value: Value,
    problem: Option<String>,
}

/// A type with a JSON Schema: any `schemars::JsonSchema`.
#[cfg(feature = "schemars")]
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no JSON Schema",
    label = "this code needs the schema of `{Self}`",
    note = "derive `schemars::JsonSchema` for it, with `use grange::schemars;`, or write the schema by hand, as `input_schema` or `output_schema`"
)]
pub trait HasSchema: schemars::JsonSchema {}

#[cfg(feature = "schemars")]
#[diagnostic::do_not_recommend]
impl<T: schemars::JsonSchema> HasSchema for T {}

impl Schema {
    /// The schema as a value.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The schema of a tool without arguments.
    pub(crate) fn nothing() -> Self {
        Self::from(r#"{"type":"object","additionalProperties":false}"#)
    }

    pub(crate) fn json(&self) -> &Bytes {
        &self.json
    }

    /// Whether it describes an object.
    pub(crate) fn is_of_object(&self) -> bool {
        self.value.get("type").is_some_and(|kind| kind == "object")
    }

    /// The problem for which it cannot be a schema at all, if there is one.
    pub(crate) fn problem(&self) -> Option<String> {
        let shape = || (!self.value.is_object()).then(|| "is no JSON object".to_owned());
        self.problem.clone().or_else(shape)
    }

    pub(crate) fn members(&self) -> Option<&Map<String, Value>> {
        self.value.as_object()
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Schema({})", self.value)
    }
}

impl From<Value> for Schema {
    fn from(value: Value) -> Self {
        Self { json: value.to_string().into(), value, problem: None }
    }
}

/// Text is sent unchanged if it is one line; text of several lines is rewritten on one line.
impl From<&'static str> for Schema {
    fn from(text: &'static str) -> Self {
        match serde_json::from_str(text) {
            // A message must not contain a raw line feed.
            Ok(value) if !text.contains(['\n', '\r']) => {
                Self { json: Bytes::from_static(text.as_bytes()), value, problem: None }
            }
            Ok(value) => Self::from(value),
            Err(error) => {
                Self { json: Bytes::new(), value: Value::Null, problem: Some(format!("is no JSON: {error}")) }
            }
        }
    }
}
