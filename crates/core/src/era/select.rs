//! Which revision a request belongs to: one function for both transports (section 4 of the wire contract).
//!
//! The marks decide before the method is looked at: a marked `initialize` is an unknown method of a revision without a
//! handshake, and an unmarked one opens a handshake. **A marked request never reads or changes what a handshake
//! settled.**

use super::mirror::{self, Exchange};
use super::{Era, Served, legacy, modern};
use crate::conversation::Conversation;
use crate::fault::Fault;
use crate::model::MirroredArgument;
use crate::rpc::Params;

/// What the choice depends on.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
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
    /// A byte stream, with the row that `initialize` settled on.
    Pipe {
        negotiated: Option<&'static Era>,
    },
}

/// A row, or why there is none for this request.
pub(crate) type Selected = Result<Chosen, Refused>;

/// A row, and over HTTP the conversation that the request belongs to.
#[derive(Debug)]
pub(crate) struct Chosen {
    pub(crate) era: &'static Era,
    pub(crate) conversation: Option<Conversation>,
}

/// A refusal, with the row that encodes it.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) era: &'static Era,
    pub(crate) fault: Fault,
}

pub(crate) fn select(asked: &Asked<'_>, served: &Served) -> Selected {
    if is_marked(asked) { modern::check(asked, served) } else { legacy::check(asked, served) }
}

fn is_marked(asked: &Asked<'_>) -> bool {
    asked.params.meta.marked
        || match asked.channel {
            Channel::Http(exchange) => modern::is_marked_by(exchange.header(mirror::PROTOCOL_VERSION)),
            Channel::Pipe { negotiated: None } => modern::is_own_method(asked.method),
            Channel::Pipe { negotiated: Some(_) } => false,
        }
}
