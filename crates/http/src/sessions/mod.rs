//! Sessions of the revisions that have a handshake: kept only where something needs them or the author asks.
//!
//! ```text
//! hub ── which there are, by id ──▶ table
//!  └── session ── one lock ──▶ log: the events of one stream
//!        ▲ writes            ▲ reads
//!      writer (a task)     cursor (a response body), again and again
//! ```
//!
//! What a message means in a session is the engine's to know ([`grange_core::Conversation`]); here are ids, owners, time and
//! streams.

mod answer;
mod cursor;
mod event;
mod hub;
mod id;
mod kept;
mod log;
mod principal;
mod requests;
mod session;
mod table;
mod writer;

pub(crate) use self::answer::Answering;
pub(crate) use self::cursor::Cursor;
pub(crate) use self::event::EventId;
pub(crate) use self::hub::{Found, Sessions, Visit};
pub(crate) use self::id::SessionId;
pub use self::principal::Principal;
pub(crate) use self::requests::Bodiless;
pub(crate) use self::table::Full;
