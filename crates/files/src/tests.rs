//! Real files in a temporary directory, served to a client in memory. Nothing sleeps for a fixed time: what the thread does is waited for,
//! up to a deadline.

// Helpers panic to fail a test, as the tests themselves do.
#![allow(clippy::unwrap_used, reason = "what cannot be unwrapped here fails the test")]

mod following;
mod listing;
mod place;
mod reading;
mod roots;
mod torture;
