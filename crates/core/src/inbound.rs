//! A request as it came in: its bytes, and what is known of the other end.

use bytes::Bytes;

use crate::era::{Clock, Exchange};
use crate::session::Session;

/// What stands around a request: its bytes, and what is known of the other end.
pub(crate) struct Inbound<'a> {
    pub(crate) frame: &'a Bytes,
    pub(crate) pipe: bool,
    /// What a handshake settled, unless the request speaks for itself.
    pub(crate) session: Option<&'a Session>,
    /// Whether the client takes messages before the answer.
    pub(crate) stream: bool,
    /// The HTTP exchange, if it came in one.
    pub(crate) exchange: Option<&'a dyn Exchange>,
    /// The driver's.
    pub(crate) clock: Option<Clock>,
}
