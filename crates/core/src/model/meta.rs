//! `_meta`: what travels beside a resource or its contents and is nobody's business but the two ends'.

use serde::Serialize;
use serde_json::{Map, Value};

/// A `_meta` object (2026-07-28 basic/index, "General fields").
///
/// Keys follow the specification's grammar: an optional dotted prefix and a slash, then a name. What cannot be written
/// as JSON, or has a key outside the grammar, is noted and refused where the whole is checked: at `build()` for
/// definitions, before the answer leaves for results.
///
/// ```
/// use grange_core::Metadata;
/// let meta = Metadata::new().with("example.com/report-version", 1);
/// assert_eq!(meta.value("example.com/report-version"), Some(&1.into()));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata {
    map: Map<String, Value>,
    faults: Vec<String>,
}

impl Metadata {
    /// No members.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a member, or replaces the one of that name.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, value: impl Serialize) -> Self {
        self.insert(key, value);
        self
    }

    /// Adds a member, or replaces the one of that name.
    pub fn insert(&mut self, key: impl Into<String>, value: impl Serialize) {
        let key = key.into();
        if let Err(error) = grange_uri::check_meta_key(&key) {
            self.faults.push(format!("_meta key `{key}` {error}"));
        }
        match serde_json::to_value(value) {
            Ok(value) => drop(self.map.insert(key, value)),
            Err(error) => self.faults.push(format!("the value of _meta key `{key}` is not JSON: {error}")),
        }
    }

    /// Takes the members of another over, in place of those of the same name.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.map.extend(other.map.iter().map(|(key, value)| (key.clone(), value.clone())));
        self.faults.extend(other.faults.iter().cloned());
    }

    /// The member of that name.
    pub fn value(&self, key: &str) -> Option<&Value> {
        self.map.get(key)
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// The members, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.map.iter().map(|(key, value)| (key.as_str(), value))
    }

    pub(crate) fn faults(&self) -> &[String] {
        &self.faults
    }
}

/// Takes the members of an object. Anything else is noted as a fault.
impl From<Value> for Metadata {
    fn from(value: Value) -> Self {
        let Value::Object(map) = value else {
            return Self { map: Map::new(), faults: vec![format!("_meta must be an object, not {value}")] };
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
