//! Compares the reading of a scalar in YAML 1.2 with that of a YAML 1.1 host.
//!
//! The result is a lint, not a value. Quoted texts and block scalars are strings in every host and are not compared.

use super::legacy::{self, Legacy};
use super::number;
use super::value::Value;
use crate::lint::LintKind;

/// The lint for a value that was written as this plain text.
pub(super) fn value(text: &str, value: &Value) -> Option<LintKind> {
    let legacy = legacy::read(text);
    match legacy {
        Legacy::Instant { is_certain } => (!is_certain).then_some(LintKind::Instant),
        _ if !is_same(value, legacy) => {
            let mut here = String::new();
            value.write(&mut here);
            Some(LintKind::Differs { here, there: in_json(legacy, text) })
        }
        Legacy::Number(there) if is_rounded(value) => Some(LintKind::Rounded { there: number::float(there) }),
        _ => None,
    }
}

/// The lint for a key; `plain` is its text unless it is certainly a string.
pub(super) fn key(plain: Option<&str>, key: &str, value: &Value) -> Option<LintKind> {
    let there = plain.map_or_else(|| key.to_owned(), as_key);
    let is_text = matches!(value, Value::Text(_));
    (!is_text || there != key).then(|| LintKind::Key { here: key.to_owned(), there })
}

fn is_same(value: &Value, legacy: Legacy) -> bool {
    match (value, legacy) {
        (Value::Null, Legacy::Null) | (Value::Text(_), Legacy::Text | Legacy::Instant { .. }) => true,
        (Value::Bool(here), Legacy::Bool(there)) => *here == there,
        (Value::Integer(here) | Value::Float(here), Legacy::Number(there)) => here.parse() == Ok(there),
        _ => false,
    }
}

fn is_rounded(value: &Value) -> bool {
    matches!(value, Value::Integer(digits) if number::is_rounded(digits))
}

fn in_json(legacy: Legacy, text: &str) -> String {
    match legacy {
        Legacy::Null => "null".to_owned(),
        Legacy::Bool(value) => value.to_string(),
        Legacy::Number(number) => in_words(number),
        Legacy::Instant { .. } | Legacy::Text => {
            let mut json = String::new();
            Value::Text(text.to_owned()).write(&mut json);
            json
        }
    }
}

/// The key that such a host reads from a plain scalar.
fn as_key(text: &str) -> String {
    match legacy::read(text) {
        Legacy::Null => "null".to_owned(),
        Legacy::Bool(value) => value.to_string(),
        Legacy::Number(number) => in_words(number),
        Legacy::Instant { .. } => "Thu Jan 01 …".to_owned(),
        Legacy::Text => text.to_owned(),
    }
}

fn in_words(value: f64) -> String {
    if value.is_finite() { number::float(value) } else { "no finite number".to_owned() }
}
