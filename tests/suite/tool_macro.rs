//! `tool!`: what it takes, and what it makes. What it refuses stands in `tests/macros`.

mod builder;
mod values;
