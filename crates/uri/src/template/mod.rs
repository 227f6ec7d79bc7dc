//! URI templates. [`parse`] reads a template (with [`pieces`], [`expression`] and [`fill`]) into a [`pattern`]; [`matching`]
//! matches a [`candidate`] URI against it; [`expand`] makes a URI from [`value`]s; [`cover`] compares two templates; [`segment`]
//! makes a segment of any text.
//! Imports go in one direction: parse, matching, expand and cover import the pattern, and the pattern imports variable.

mod candidate;
mod cover;
mod error;
mod expand;
mod expand_error;
mod expression;
mod fill;
mod matching;
mod parse;
mod pattern;
mod percent;
mod pieces;
mod segment;
mod steps;
mod value;
mod variable;

#[cfg(test)]
mod tests;

pub use candidate::Candidate;
pub use error::TemplateError;
pub use expand_error::ExpandError;
pub use matching::Match;
pub use pattern::{Template, UnknownQuery};
pub use segment::{SegmentError, encode_segment};
pub use value::{Value, Values};
pub use variable::{ValueError, Variable, VariableKind};
