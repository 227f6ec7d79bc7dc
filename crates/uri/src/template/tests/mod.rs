//! What the contract says of templates, statement by statement.

mod cover;
mod expand;
mod matching;
mod parse;
mod properties;
