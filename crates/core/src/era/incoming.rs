//! A message on its way to its row: what the choice depends on, and what comes of it.

use super::exchange::Exchange;
use super::params::INITIALIZE;
use super::row::Era;
use crate::fault::Fault;
use crate::model::MirroredArgument;
use crate::rpc::Params;
use crate::session::Session;

/// What the choice depends on.
#[derive(Clone, Copy)]
pub(crate) struct RequestHead<'a> {
    pub(crate) method: &'a str,
    pub(crate) params: &'a Params<'a>,
    pub(crate) notification: bool,
    /// The arguments of the named tool that have headers.
    pub(crate) mirrored: &'a dyn Fn(&str) -> &'a [MirroredArgument],
    pub(crate) channel: Channel<'a>,
}

/// How the message came.
#[derive(Clone, Copy)]
pub(crate) enum Channel<'a> {
    Http(&'a dyn Exchange),
    /// A byte stream, with what its handshake settled.
    Pipe {
        negotiated: Option<(&'static Era, &'a Session)>,
    },
}

/// A row, or why there is none for this request.
pub(crate) type Selected = Result<Selection, Refused>;

/// A row, and the session that the request belongs to.
#[derive(Debug)]
pub(crate) struct Selection {
    pub(crate) era: &'static Era,
    pub(crate) session: Option<Session>,
}

/// A refusal, with the row that encodes it.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) era: &'static Era,
    pub(crate) fault: Fault,
}

impl RequestHead<'_> {
    pub(super) fn opens_handshake(&self) -> bool {
        self.method == INITIALIZE && !self.notification
    }
}
