//! Which revision a request belongs to: one function for both transports (section 4 of the wire contract).
//!
//! The marks decide before the method is looked at: a marked `initialize` is an unknown method of a revision without a
//! handshake, and an unmarked one opens a handshake. **A marked request never reads or changes what a handshake
//! settled.**

mod legacy;
mod modern;

use super::incoming::{Channel, RequestHead, Selected};
use super::served::Served;
use super::version_header::Named;

pub(crate) fn select(asked: &RequestHead<'_>, served: &Served) -> Selected {
    if is_marked(asked) { modern::check(asked, served) } else { legacy::check(asked, served) }
}

fn is_marked(asked: &RequestHead<'_>) -> bool {
    asked.params.meta.marked
        || match asked.channel {
            // A handshake is one whatever the header says: there are clients that put theirs on every request.
            Channel::Http(_) if asked.opens_handshake() => false,
            Channel::Http(exchange) => matches!(Named::of(exchange), Named::Row(era) if !era.handshake),
            Channel::Pipe { negotiated: None } => modern::is_own_method(asked.method),
            Channel::Pipe { negotiated: Some(_) } => false,
        }
}
