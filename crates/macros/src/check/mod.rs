//! From entries to a definition that can be expanded.
//!
//! The server's `build()` checks the values of expressions, which a macro cannot see, with the same functions of
//! `grange-uri`.

mod codes;
mod definition;
mod not_yet;
mod readers;
mod record;
mod rules;

mod complete;
mod forms;
mod resource;
mod template;
mod tool;
mod ui;

pub(crate) use self::definition::{Argument, Call, Definition, Tool};
pub(crate) use self::resource::{many, one};
pub(crate) use self::template::template;
pub(crate) use self::tool::tool;
