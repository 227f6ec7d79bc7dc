//! From tokens to entries: `key: value, …, ..base`.
//!
//! The parser finds the start and the end of keys, values and definitions. `check` has the names of the keys and the
//! rules for their values. After an error the parser continues after the next comma.

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
