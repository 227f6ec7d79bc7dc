//! The decoded values of a template's variables.

use std::collections::BTreeMap;
use std::sync::Arc;

/// The decoded value of one variable.
///
/// ```
/// use grange_uri::Value;
///
/// assert_eq!(Value::from("7").as_text(), Some("7"));
/// assert_eq!(Value::from(vec!["a".to_owned()]).as_segments().map(<[String]>::len), Some(1));
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Value {
    /// The value of `{v}`, `{+v}` or `{?v}`.
    Text(String),
    /// The value of `{/v*}`: its segments, maybe none.
    Segments(Vec<String>),
}

impl Value {
    /// The text, if the value is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Segments(_) => None,
        }
    }

    /// The segments, if the value is a list of them.
    pub fn as_segments(&self) -> Option<&[String]> {
        match self {
            Self::Text(_) => None,
            Self::Segments(segments) => Some(segments),
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Vec<String>> for Value {
    fn from(segments: Vec<String>) -> Self {
        Self::Segments(segments)
    }
}

/// Decoded values by the names of their variables. An absent query variable has no entry.
///
/// ```
/// use grange_uri::Values;
///
/// let values = Values::new().with("id", "7");
/// assert_eq!(values.text("id"), Some("7"));
/// assert_eq!(values.get("limit"), None);
/// ```
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Values {
    // Sorted, so that equal values are equal in whatever order they came.
    entries: BTreeMap<Arc<str>, Value>,
}

impl Values {
    /// No values.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a value, or replaces the one with this name.
    #[must_use]
    pub fn with(mut self, name: impl Into<Arc<str>>, value: impl Into<Value>) -> Self {
        self.insert(name, value);
        self
    }

    /// Adds a value, or replaces the one with this name.
    pub fn insert(&mut self, name: impl Into<Arc<str>>, value: impl Into<Value>) {
        self.entries.insert(name.into(), value.into());
    }

    /// The value with this name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.entries.get(name)
    }

    /// The text with this name; `None` also for a list of segments.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.as_text()
    }

    /// The names and values, in the order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.entries.iter().map(|(name, value)| (&**name, value))
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}
