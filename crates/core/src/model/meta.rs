//! `_meta`: additional data beside a resource, a tool or a result. The engine passes it on and does not interpret it.

use serde::Serialize;
use serde_json::{Map, Value};

/// A `_meta` object (2026-07-28 basic/index, "General fields").
///
/// Keys follow the specification's grammar: an optional dotted prefix and a slash, then a name. A key outside the
/// grammar, or a value that is not JSON, is a problem that is reported later: for a definition by `build()`, for a
/// result before it is sent.
///
/// ```
/// use grange_core::Metadata;
/// let meta = Metadata::new().with("example.com/report-version", 1);
/// assert_eq!(meta.value("example.com/report-version"), Some(&1.into()));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata {
    map: Map<String, Value>,
    problems: Vec<String>,
}

impl Metadata {
    /// Metadata without members.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a member, or replaces the one with that key.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, value: impl Serialize) -> Self {
        self.insert(key, value);
        self
    }

    /// Adds a member, or replaces the one with that key.
    pub fn insert(&mut self, key: impl Into<String>, value: impl Serialize) {
        let key = key.into();
        if let Err(error) = grange_uri::check_meta_key(&key) {
            self.problems.push(format!("_meta key `{key}` {error}"));
        }
        match serde_json::to_value(value) {
            Ok(value) => drop(self.map.insert(key, value)),
            Err(error) => self.problems.push(format!("the value of _meta key `{key}` is not JSON: {error}")),
        }
    }

    /// Adds the members of another object, which replace those with the same key.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.map.extend(other.map.iter().map(|(key, value)| (key.clone(), value.clone())));
        self.problems.extend(other.problems.iter().cloned());
    }

    /// The member with that key.
    pub fn value(&self, key: &str) -> Option<&Value> {
        self.map.get(key)
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// The keys and values of the members.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.map.iter().map(|(key, value)| (key.as_str(), value))
    }

    pub(crate) fn problems(&self) -> &[String] {
        &self.problems
    }
}

/// Takes the members of an object. Any other value is recorded as a problem.
impl From<Value> for Metadata {
    fn from(value: Value) -> Self {
        let Value::Object(map) = value else {
            return Self { map: Map::new(), problems: vec![format!("_meta must be an object, not {value}")] };
        };
        let mut meta = Self::new();
        for (key, value) in map {
            meta.insert(key, value);
        }
        meta
    }
}

impl From<Map<String, Value>> for Metadata {
    fn from(map: Map<String, Value>) -> Self {
        Self::from(Value::Object(map))
    }
}
