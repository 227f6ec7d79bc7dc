//! The byte-stream driver, over pairs of pipes in memory and a clock that only moves when everything waits. What needs a
//! process of its own (the real stdout, signals) is in `crates/stdio/tests`.

// Helpers fail a test by panicking, as the tests themselves do.
#![allow(clippy::unwrap_used, reason = "what cannot be unwrapped here fails the test")]

mod blocking;
mod ending;
mod flow;
mod framing;
mod session;
mod talk;
