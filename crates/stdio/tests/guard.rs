//! Tests that need a process of their own: the real stdout, the real stdin and signals.
//!
//! The test starts itself as the server. A test harness would print to stdout before the server could guard it, so there
//! is none: the tests are functions that `main` calls.

#[cfg(unix)]
#[path = "guard/unix.rs"]
mod unix;

fn main() {
    #[cfg(unix)]
    unix::main();
}
