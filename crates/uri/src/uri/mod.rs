//! URIs: [`check`] is the way in; [`error`] holds what can be wrong and the words for it; [`syntax`] asks the
//! RFC 3986 parser and explains its refusals; [`spelling`] knows what URL libraries rewrite; [`respell`] looks
//! for a spelling to suggest. Imports run from left to right here: check ← respell ← spelling ← syntax ← error.

mod check;
mod error;
mod respell;
mod spelling;
mod syntax;

#[cfg(test)]
mod tests;

pub use check::{check_absolute, check_resource};
pub use error::UriError;
