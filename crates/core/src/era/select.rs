//! Which revision a request belongs to: one function for both transports (section 4 of the wire contract).
//!
//! The marks decide before the method is looked at: a marked `initialize` is an unknown method of a revision without a
//! handshake, and an unmarked one opens a handshake. **A marked request never reads or changes what a handshake
//! settled.**

use super::legacy::INITIALIZE;
use super::mirror::{self, Exchange, Header};
use super::{ALL, Era, Served, legacy, modern};
use crate::conversation::Conversation;
use crate::fault::Fault;
use crate::model::MirroredArgument;
use crate::rpc::{Params, cut};

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
            // A handshake is one whatever the header says: there are clients that put theirs on every request.
            Channel::Http(_) if asked.opens_handshake() => false,
            Channel::Http(exchange) => matches!(Named::of(exchange), Named::Row(era) if !era.handshake),
            Channel::Pipe { negotiated: None } => modern::is_own_method(asked.method),
            Channel::Pipe { negotiated: Some(_) } => false,
        }
}

impl Asked<'_> {
    pub(super) fn opens_handshake(&self) -> bool {
        self.method == INITIALIZE && !self.notification
    }
}

/// What the version header of an exchange names.
pub(super) enum Named {
    Absent,
    Row(&'static Era),
    /// A date after every revision that we know.
    Later(String),
    /// No revision; with what the header does instead.
    Nothing(String),
}

impl Named {
    pub(super) fn of(exchange: &dyn Exchange) -> Self {
        let value = match exchange.header(mirror::PROTOCOL_VERSION) {
            Header::Absent => return Self::Absent,
            Header::Many => return Self::Nothing("came more than once".to_owned()),
            Header::One(value) => mirror::trim(value),
        };
        if let Some(era) = ALL.iter().find(|era| era.name.as_bytes() == value) {
            return Self::Row(era);
        }
        let text = String::from_utf8_lossy(value);
        let is_later = is_date(value) && ALL.iter().all(|era| era.name < &*text);
        match value {
            [] => Self::Nothing("is empty".to_owned()),
            _ if is_later => Self::Later(text.into_owned()),
            _ => Self::Nothing(format!("says {:?}, which is no revision", cut(&text))),
        }
    }
}

/// `YYYY-MM-DD`.
fn is_date(text: &[u8]) -> bool {
    let is_digit = |place: usize| text[place].is_ascii_digit();
    text.len() == 10 && [0, 1, 2, 3, 5, 6, 8, 9].into_iter().all(is_digit) && text[4] == b'-' && text[7] == b'-'
}
