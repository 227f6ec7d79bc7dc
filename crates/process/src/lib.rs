//! The process of a Grange server: its standard streams, guarded, and the signals that end it.
//!
//! The drivers of HTTP and stdio share it; what a message means is not known here.
//!
//! - [`take_streams`] takes standard input and output for the protocol and gives the rest of the process harmless ones.
//! - [`guard_stderr`] keeps a host that does not read standard error from holding anything up.
//! - [`shutdown_signal`] is SIGTERM or SIGINT.
//!
//! **No descriptor is ever made non-blocking**: the parent, another process or a terminal may share its settings. Where the
//! system is not Unix there is no safe way to point a standard handle elsewhere: the streams stay where they are.

#[cfg(unix)]
mod blocking;
mod signal;
mod stderr;
mod streams;

pub use crate::signal::shutdown_signal;
pub use crate::stderr::{StderrGuard, guard_stderr};
pub use crate::streams::{Input, Output, Streams, guard_streams, take_streams};
