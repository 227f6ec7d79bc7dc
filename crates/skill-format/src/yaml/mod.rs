//! YAML for frontmatter. [`compose`] builds values from the parser's events; its `parse` is the entry point.
//!
//! [`tag`] and [`scalar`] resolve a node, [`anchors`] expands aliases. [`legacy`] models another host, [`portable`]
//! compares. [`layout`] checks the [`source`] text, given the [`nesting`] of a node. [`number`] and [`value`] represent
//! and write values, [`syntax`] translates the parser's errors, [`limits`] has the limits.

mod anchors;
mod compose;
mod layout;
mod legacy;
mod limits;
mod nesting;
mod number;
mod portable;
mod scalar;
mod source;
mod syntax;
mod tag;
mod value;

pub(crate) use compose::parse;
pub(crate) use layout::{BREAK_AT_END, TAB};
pub(crate) use limits::{MAX_ALIASED, MAX_ALIASES, MAX_DEPTH};
pub(crate) use value::{Entry, Value};
