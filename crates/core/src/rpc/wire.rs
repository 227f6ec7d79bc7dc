//! Outgoing bytes: one JSON-RPC message (or batch) as a few byte strings, in order.

use bytes::{Bytes, BytesMut};

use super::guard::ByteGuard;

/// One outgoing message, without framing: a driver adds the line feed, the event prefix or the HTTP head.
///
/// A small message is one byte string. A large payload stays the slice that it was encoded into, so that sending a text
/// of 16 MiB copies nothing. **No part contains a raw line feed.**
#[derive(Clone, Debug, Default)]
pub struct Wire {
    first: Bytes,
    /// Further parts, which few messages have. None of them is empty.
    rest: Vec<Bytes>,
    /// Kept until the parts are sent.
    guard: Option<ByteGuard>,
}

impl Wire {
    /// A part of more bytes than this (8 KiB) stays a slice, since copying it would cost more. Drivers copy shorter
    /// parts together.
    pub const SLICED: usize = 8 * 1024;

    pub(crate) fn one(bytes: impl Into<Bytes>) -> Self {
        Self { first: bytes.into(), rest: Vec::new(), guard: None }
    }

    pub(crate) fn three(head: impl Into<Bytes>, payload: Bytes, tail: impl Into<Bytes>) -> Self {
        Self { first: head.into(), rest: vec![payload, tail.into()], guard: None }
    }

    /// One array of several messages. Large parts stay slices. The guards of the messages become those of the array.
    pub(crate) fn array(messages: impl IntoIterator<Item = Self>) -> Self {
        let mut copied = BytesMut::from(&b"["[..]);
        let (mut parts, mut guards) = (Vec::new(), Vec::new());
        for (index, mut message) in messages.into_iter().enumerate() {
            guards.extend(message.take_guard());
            if index > 0 {
                copied.extend_from_slice(b",");
            }
            for part in message.into_parts() {
                if part.len() > Self::SLICED {
                    if !copied.is_empty() {
                        parts.push(copied.split().freeze());
                    }
                    parts.push(part);
                } else {
                    copied.extend_from_slice(&part);
                }
            }
        }
        copied.extend_from_slice(b"]");
        parts.push(copied.freeze());
        let mut parts = parts.into_iter();
        let guard = (!guards.is_empty()).then(|| ByteGuard::new(guards));
        Self { first: parts.next().unwrap_or_default(), rest: parts.collect(), guard }
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        self.first.len() + self.rest.iter().map(Bytes::len).sum::<usize>()
    }

    /// Whether there is nothing to send.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Counts the message as long as it waits to be sent. `hold` gets the bytes of its large parts that no other message shares, and
    /// returns the guard that counts them. A message without such parts is not counted.
    ///
    /// # Errors
    /// That of `hold`, which has no room.
    pub fn held<E>(self, hold: impl FnOnce(usize) -> Result<ByteGuard, E>) -> Result<Self, E> {
        if self.len() <= Self::SLICED {
            return Ok(self);
        }
        match self.unshared() {
            0 => Ok(self),
            bytes => hold(bytes).map(|guard| self.guarded(guard)),
        }
    }

    fn unshared(&self) -> usize {
        let parts = std::iter::once(&self.first).chain(&self.rest);
        parts.filter(|part| part.len() > Self::SLICED && part.is_unique()).map(Bytes::len).sum()
    }

    /// The bytes of all parts that no other message shares.
    pub(crate) fn owned(&self) -> usize {
        let parts = std::iter::once(&self.first).chain(&self.rest);
        parts.filter(|part| part.is_unique()).map(Bytes::len).sum()
    }

    pub(crate) fn is_guarded(&self) -> bool {
        self.guard.is_some()
    }

    /// The same message, which also keeps this guard until its large parts are sent or dropped.
    pub(crate) fn guarded(mut self, guard: ByteGuard) -> Self {
        self.guard = match self.guard.take() {
            Some(other) => Some(ByteGuard::new((other, guard))),
            None => Some(guard),
        };
        self
    }

    /// Takes the guard out: the parts no longer keep it.
    pub fn take_guard(&mut self) -> Option<ByteGuard> {
        self.guard.take()
    }

    /// The parts, in order; none of them is empty. Large ones keep the guard, if there is one.
    pub fn into_parts(self) -> impl Iterator<Item = Bytes> + Send {
        let Self { first, rest, guard } = self;
        let guard = move |part: Bytes| match &guard {
            Some(guard) if part.len() > Self::SLICED => guard.guard(part),
            _ => part,
        };
        Some(first).into_iter().chain(rest).filter(|part| !part.is_empty()).map(guard)
    }

    /// The message as one byte string. Copies only if the message has several parts.
    pub fn into_bytes(self) -> Bytes {
        if self.rest.is_empty() {
            return self.into_parts().next().unwrap_or_default();
        }
        let guard = self.guard.clone();
        let mut all = BytesMut::with_capacity(self.len());
        self.into_parts().for_each(|part| all.extend_from_slice(&part));
        let all = all.freeze();
        guard.map_or_else(|| all.clone(), |guard| guard.guard(all.clone()))
    }
}
