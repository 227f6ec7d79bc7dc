//! Serves a Grange server over byte streams: one JSON-RPC message a line.
//!
//! [`stdio`] is for a server that an AI host starts as its child process; [`pipe`] is the same over any other stream, such
//! as a Unix socket. Both give [`grange_core::Transport`]s for `Server::listen`. The protocol itself is not here: every line
//! goes to a [`grange_core::Connection`], which returns actions; this crate moves the bytes, runs the jobs and keeps the
//! clock.
//!
//! ```no_run
//! use grange_core::{Resource, Server};
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), grange_core::Error> {
//! let guide = Resource::builder().uri("docs://guide").name("guide").text("# Guide").build();
//! let server = Server::builder("documentation", "1.0.0").resource(guide).build()?;
//! server.listen(grange_stdio::stdio()).await
//! # }
//! ```
//!
//! # What holds on every stream
//!
//! - Lines end with `\n` or `\r\n`; blank lines are skipped, and a last line without its end counts.
//! - A line that is too long, is not UTF-8 or not JSON is answered with one error, and the next line is served.
//! - Requests run at the same time, up to `Limits::requests_in_flight`; each answer is written when it is ready, in one piece.
//! - While the other end does not read the answers, no further requests are read: memory stays bounded.
//! - At the end of the input, every accepted request is answered within `Limits::shutdown_grace`; then serving ends.
//! - Readers and tools are tasks of the runtime: one that blocks delays no other while a worker thread is free.
//! - When the output is closed, serving ends at once. Either end is a success.
//!
//! Serving needs a tokio runtime with its clock, as `#[tokio::main]` makes it; [`stdio`] also waits for signals, which needs
//! the runtime's I/O driver.

mod driver;
mod inbox;
mod input;
mod jobs;
mod launcher;
mod lines;
mod parker;
mod pipe;
mod pump;
mod shutdown;
mod stdio;
mod thread;
mod work;
mod write_buffer;

pub use crate::pipe::{Pipe, pipe};
pub use crate::stdio::{Stdio, stdio, stdio_guard};
