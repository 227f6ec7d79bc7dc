//! The byte-stream driver, over pipes in memory and a clock that advances only when everything waits. Tests that need
//! their own process (the real stdout, signals) are in `crates/stdio/tests`.

// Helpers panic to fail a test, as the tests themselves do.
#![allow(clippy::unwrap_used, reason = "what cannot be unwrapped here fails the test")]

mod blocking;
mod changes;
mod ending;
mod flow;
mod framing;
mod held;
mod session;
mod talk;
