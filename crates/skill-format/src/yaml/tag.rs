//! Explicit tags: which are taken, and what they make of a node.
//!
//! Taken are those that every known reader takes in the same way: `!!str` and `!!int` on scalars, `!!seq` and `!!map` on
//! what they are anyway; each is worth a lint. All others are refused: readers disagree on `!!float 5`, `!!null ''`,
//! `!!bool yes` and a lone `!`, JSON has no value for `!!binary`, `!!set` and `!!timestamp`, and a tag of one's own means
//! nothing to anybody.

use granit_parser::Tag;

use super::scalar::{self, Scalar};
use super::value::Value;

const NAMESPACE: &str = "tag:yaml.org,2002:";

/// The tag as authors write it: `!!int` for `!<tag:yaml.org,2002:int>` too.
pub(super) fn short(tag: &Tag) -> String {
    match tag.suffix_in_namespace(NAMESPACE) {
        Some(name) => format!("!!{name}"),
        None => format!("{}{}", tag.handle(), tag.suffix()),
    }
}

/// The value of a scalar with this tag; `None` where the tag is refused, there or anywhere.
pub(super) fn scalar(tag: &str, text: &str) -> Option<Value> {
    match (tag, scalar::resolve(text)) {
        ("!!str", _) => Some(Value::Text(text.to_owned())),
        ("!!int", Scalar::Integer(digits)) => Some(Value::Integer(digits)),
        _ => None,
    }
}
