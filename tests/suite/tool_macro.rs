//! `tool!`: which input it accepts, and what it produces. `tests/macros` tests the input that it rejects.

mod builder;
mod values;
