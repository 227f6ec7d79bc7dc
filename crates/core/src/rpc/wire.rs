//! Outgoing bytes: one JSON-RPC message (or batch) as a few byte strings, in order.

use bytes::{Bytes, BytesMut};

/// One outgoing message, without framing: a driver adds the line feed, the event prefix or the HTTP head.
///
/// A small message is one byte string. A large payload stays the slice that it was encoded into, so that sending a text
/// of 16 MiB copies nothing. **No part contains a raw line feed.**
#[derive(Clone, Debug, Default)]
pub struct Wire {
    parts: [Bytes; 3],
}

impl Wire {
    /// A part of more bytes than this (8 KiB) stays a slice, since copying it would cost more. Drivers copy shorter
    /// parts together.
    pub const SLICED: usize = 8 * 1024;

    pub(crate) fn one(bytes: impl Into<Bytes>) -> Self {
        Self { parts: [bytes.into(), Bytes::new(), Bytes::new()] }
    }

    pub(crate) fn three(head: impl Into<Bytes>, payload: Bytes, tail: impl Into<Bytes>) -> Self {
        Self { parts: [head.into(), payload, tail.into()] }
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        self.parts.iter().map(Bytes::len).sum()
    }

    /// Whether there is nothing to send.
    pub fn is_empty(&self) -> bool {
        self.parts.iter().all(Bytes::is_empty)
    }

    /// The parts, in order; none of them is empty.
    pub fn into_parts(self) -> impl Iterator<Item = Bytes> + Send {
        self.parts.into_iter().filter(|part| !part.is_empty())
    }

    /// The message as one byte string. Copies only if the message has several parts.
    pub fn into_bytes(self) -> Bytes {
        let [head, payload, tail] = self.parts;
        if payload.is_empty() && tail.is_empty() {
            return head;
        }
        let mut all = BytesMut::with_capacity(head.len() + payload.len() + tail.len());
        for part in [head, payload, tail] {
            all.extend_from_slice(&part);
        }
        all.freeze()
    }
}
