//! A message before its row is known: the input of the selection, and its result.

use super::exchange::Exchange;
use super::row::{Era, INITIALIZE};
use crate::model::MirroredArgument;
use crate::rejection::Rejection;
use crate::rpc::Params;
use crate::session::Session;

/// The input of the selection of a row.
#[derive(Clone, Copy)]
pub(crate) struct RequestHead<'a> {
    pub(crate) method: &'a str,
    pub(crate) params: &'a Params<'a>,
    pub(crate) notification: bool,
    /// Returns the arguments of a tool that have mirrored headers, by the tool's name.
    pub(crate) mirrored: &'a dyn Fn(&str) -> &'a [MirroredArgument],
    pub(crate) channel: Channel<'a>,
}

/// The transport of the message.
#[derive(Clone, Copy)]
pub(crate) enum Channel<'a> {
    Http(&'a dyn Exchange),
    /// A byte stream, with the row and the session of its handshake, if there was one.
    Pipe {
        negotiated: Option<(&'static Era, &'a Session)>,
    },
}

/// A row, or the rejection of the request.
pub(crate) type Selected = Result<Selection, Rejected>;

/// A row, and the session that the request belongs to, if any.
#[derive(Clone, Debug)]
pub(crate) struct Selection {
    pub(crate) era: &'static Era,
    pub(crate) session: Option<Session>,
}

/// A rejection, with the row that encodes it.
#[derive(Debug)]
pub(crate) struct Rejected {
    pub(crate) era: &'static Era,
    pub(crate) rejection: Rejection,
}

impl RequestHead<'_> {
    pub(super) fn opens_handshake(&self) -> bool {
        self.method == INITIALIZE && !self.notification
    }
}
