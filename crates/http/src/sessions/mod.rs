//! Sessions of the revisions that have a handshake: kept only where the server needs them or the author wants them.
//!
//! ```text
//! store ── which there are, by id ──▶ table
//!  └── session ── one lock ──▶ log: the events of one stream
//!        ▲ writes                ▲ reads
//!      session_job (a task)    session_stream (a response body), again and again
//! ```
//!
//! The engine knows what a message means in a session ([`grange_core::Session`]). Here are ids, owners, times and streams.

pub(crate) mod event_id;
pub(crate) mod id;
pub(crate) mod log;
mod replay_budget;
pub(crate) mod session;
pub(crate) mod store;
pub(crate) mod table;
