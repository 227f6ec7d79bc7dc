//! Entries to a definition that can be expanded.
//!
//! What the compiler cannot see here, because it hides in an expression, the server's `build()` checks by the same
//! functions of `grange-uri`.

mod codes;
mod definition;
mod not_yet;
mod record;
mod rules;

mod forms;
mod resource;
mod tool;
mod ui;

pub(crate) use self::definition::{Argument, Call, Definition, Tool};
pub(crate) use self::resource::{many, one};
pub(crate) use self::tool::tool;
