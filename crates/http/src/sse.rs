//! The framing of event streams.
//!
//! Every event with data is named `message`, which is what its name would be without one: some clients ignore events that have none.
//! **Outside sessions events have no id and no `retry`**: a client that has seen an id will try to resume, and only the streams of a
//! session can be resumed (`session_stream.rs`).

use std::fmt::Display;

use bytes::Bytes;
use grange_core::Wire;

/// A comment: clients ignore it, and it keeps proxies from taking a silent connection for a dead one.
pub(crate) const COMMENT: Bytes = Bytes::from_static(b":\n\n");

/// Tells a client that this connection ends, that the stream goes on, and when to reconnect.
pub(crate) const RETRY: Bytes = Bytes::from_static(b"retry: 1000\n\n");

/// An event with an id and no message, and so without a name: the client may resume after it.
pub(crate) fn priming(id: impl Display) -> Bytes {
    format!("id: {id}\nretry: 1000\ndata:\n\n").into()
}

/// One message as an event that the client may resume after.
pub(crate) fn numbered(id: impl Display, wire: Wire) -> impl Iterator<Item = Bytes> {
    framed(format!("id: {id}\nevent: message\ndata: ").into(), wire)
}

/// One message as an event.
pub(crate) fn event(wire: Wire) -> impl Iterator<Item = Bytes> {
    framed(Bytes::from_static(b"event: message\ndata: "), wire)
}

/// A message has no raw line feed, so it is one `data` line.
fn framed(before: Bytes, wire: Wire) -> impl Iterator<Item = Bytes> {
    let after = Bytes::from_static(b"\n\n");
    let (copied, parts) = if wire.len() <= Wire::SLICED {
        let mut event = Vec::with_capacity(before.len() + wire.len() + after.len());
        std::iter::once(before).chain(wire.into_parts()).chain([after]).for_each(|part| event.extend_from_slice(&part));
        (Some(Bytes::from(event)), None)
    } else {
        (None, Some(std::iter::once(before).chain(wire.into_parts()).chain([after])))
    };
    copied.into_iter().chain(parts.into_iter().flatten())
}
