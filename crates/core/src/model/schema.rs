//! JSON Schemas of a tool's arguments and results: passed through untouched, looked at only where a rule of MCP is about
//! them.

use std::fmt;

use bytes::Bytes;
use serde_json::{Map, Value};

/// A JSON Schema (2020-12 unless it says otherwise), from a [`Value`] or from the text of one.
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
    /// As it is sent.
    json: Bytes,
    value: Value,
    fault: Option<String>,
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

    /// Of arguments that there are none of.
    pub(crate) fn nothing() -> Self {
        Self::from(r#"{"type":"object","additionalProperties":false}"#)
    }

    pub(crate) fn json(&self) -> &Bytes {
        &self.json
    }

    /// Whether what it describes is an object.
    pub(crate) fn is_of_object(&self) -> bool {
        self.value.get("type").is_some_and(|kind| kind == "object")
    }

    /// What is wrong with it as a schema, whatever it is for.
    pub(crate) fn fault(&self) -> Option<String> {
        let shape = || (!self.value.is_object()).then(|| "is no JSON object".to_owned());
        self.fault.clone().or_else(shape)
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
        Self { json: value.to_string().into(), value, fault: None }
    }
}

/// The text of a schema, sent as it stands; one of several lines is written anew on one.
impl From<&'static str> for Schema {
    fn from(text: &'static str) -> Self {
        match serde_json::from_str(text) {
            // No message has a raw line feed.
            Ok(value) if !text.contains(['\n', '\r']) => {
                Self { json: Bytes::from_static(text.as_bytes()), value, fault: None }
            }
            Ok(value) => Self::from(value),
            Err(error) => Self { json: Bytes::new(), value: Value::Null, fault: Some(format!("is no JSON: {error}")) },
        }
    }
}
