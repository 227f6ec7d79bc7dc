//! Sessions of the revisions that have a handshake: kept only where something needs them or the author asks.
//!
//! ```text
//! store ── which there are, by id ──▶ table
//!  └── session ── one lock ──▶ log: the events of one stream
//!        ▲ writes                ▲ reads
//!      session_job (a task)    session_stream (a response body), again and again
//! ```
//!
//! What a message means in a session is the engine's to know ([`grange_core::Session`]); here are ids, owners, time and
//! streams.

pub(crate) mod event_id;
pub(crate) mod id;
pub(crate) mod log;
mod replay_budget;
pub(crate) mod session;
pub(crate) mod store;
pub(crate) mod table;
