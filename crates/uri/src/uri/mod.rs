//! URIs. [`check`] has the public functions; [`error`] the errors and their texts; [`syntax`] runs the RFC 3986 parser
//! and explains its errors; [`spelling`] has the rules by which URL libraries rewrite URIs; [`respell`] finds a
//! spelling to suggest. Imports go in one direction: check ← respell ← spelling ← syntax ← error.

mod check;
mod error;
mod respell;
mod spelling;
mod syntax;

#[cfg(test)]
mod tests;

pub(crate) use check::check_resource_silently;
pub use check::{check_absolute, check_resource};
pub use error::UriError;
