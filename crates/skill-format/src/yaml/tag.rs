//! Explicit tags: which are accepted, and the values they give.
//!
//! Accepted are the tags that all known readers treat alike: `!!str` and `!!int` on scalars, `!!seq` and `!!map` on
//! lists and mappings; each gives a lint. All others are errors: readers disagree on `!!float 5`, `!!null ''`, `!!bool
//! yes` and a single `!`, JSON has no value for `!!binary`, `!!set` and `!!timestamp`, and readers do not know an
//! author's own tag.

use granit_parser::Tag;

use super::scalar::{self, Scalar};
use super::value::Value;

const NAMESPACE: &str = "tag:yaml.org,2002:";

/// The tag in its usual form: `!!int` also for `!<tag:yaml.org,2002:int>`.
pub(super) fn short(tag: &Tag) -> String {
    match tag.suffix_in_namespace(NAMESPACE) {
        Some(name) => format!("!!{name}"),
        None => format!("{}{}", tag.handle(), tag.suffix()),
    }
}

/// The value of a scalar with this tag; `None` if the tag is an error, here or anywhere.
pub(super) fn scalar(tag: &str, text: &str) -> Option<Value> {
    match (tag, scalar::resolve(text)) {
        ("!!str", _) => Some(Value::Text(text.to_owned())),
        ("!!int", Scalar::Integer(digits)) => Some(Value::Integer(digits)),
        _ => None,
    }
}
