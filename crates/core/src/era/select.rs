//! Selects the revision of a request: one function for both transports (`docs/contract/wire.md`, section 4).
//!
//! The marks decide before the method does: a marked `initialize` is an unknown method of a revision without a
//! handshake, and an unmarked one opens a handshake. **A marked request never reads or changes the result of a
//! handshake.**

mod legacy;
mod modern;

use super::incoming::{Channel, RequestHead, Selected};
use super::served::Served;
use super::version_header::Named;

pub(crate) fn select(asked: &RequestHead<'_>, served: &Served) -> Selected {
    if asked.params.meta.marked {
        return modern::check(asked, served);
    }
    // The version header does not matter here: some clients send it with every request, the handshake included.
    if asked.opens_handshake() {
        return legacy::check_handshake(asked, served);
    }
    match asked.channel {
        Channel::Http(exchange) => match Named::of(exchange) {
            Named::Row(era) if !era.handshake => modern::check(asked, served),
            named => legacy::check_exchange(exchange, named, served),
        },
        Channel::Pipe { negotiated: None } if modern::is_own_method(asked.method) => modern::check(asked, served),
        Channel::Pipe { negotiated } => legacy::check_pipe(asked, negotiated, served),
    }
}
