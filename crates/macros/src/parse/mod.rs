//! Tokens to entries: `key: value, …, ..base`.
//!
//! Knows where a key, a value and a definition begin and end, and no key by name: which keys exist and what their
//! values must be is `check`'s. After a mistake it reads on behind the next comma.

mod stream;

mod closure;
mod extent;
mod value;

mod entry;
mod input;

pub(crate) use self::closure::Closure;
pub(crate) use self::entry::{Entries, Entry, Key};
pub(crate) use self::input::{Definition, many, one};
pub(crate) use self::value::{Literal, Value, first_value};
