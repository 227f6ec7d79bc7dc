//! The process of a Grange server: its standard streams, guarded, and the signals that end it.
//!
//! The transports of HTTP and stdio share it. Nothing here knows a message.
//!
//! - [`take_streams`] takes standard input and output for the protocol and gives the rest of the process harmless ones.
//! - [`guard_stderr`] keeps writes to standard error from waiting for a host that does not read it.
//! - [`shutdown_signal`] resolves at SIGTERM or SIGINT.
//!
//! **No descriptor is ever made non-blocking**: the parent, another process or a terminal may share its settings. On systems other than
//! Unix the streams stay where they are, since there is no safe way to redirect a standard handle.

#[cfg(unix)]
mod blocking;
mod signal;
mod stderr;
mod streams;

pub use crate::signal::shutdown_signal;
pub use crate::stderr::{StderrGuard, guard_stderr};
pub use crate::streams::{Input, Output, Streams, guard_streams, take_streams};
