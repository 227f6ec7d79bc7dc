//! YAML as frontmatter has it: [`compose`] makes values of the parser's events and is the way in.
//!
//! [`tag`] and [`scalar`] say what a node means, [`anchors`] what an alias stands for; [`legacy`] is what another host
//! reads, [`portable`] the comparison; [`layout`] is what only the [`source`] shows, given the [`place`]; [`number`] and
//! [`value`] hold and write it; [`syntax`] puts the parser's errors into our words; [`limits`] are the bounds.

mod anchors;
mod compose;
mod layout;
mod legacy;
mod limits;
mod number;
mod place;
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
