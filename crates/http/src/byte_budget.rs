//! The budget of bytes that a service holds for its clients: bodies that arrive, messages whose requests run, and answers that clients
//! have not read.
//!
//! **Only large byte strings are counted**, of more than [`SMALL`] bytes: there are at most as many small ones as connections and
//! streams. What is counted carries its part of the budget along ([`ByteGuard`]), so it is returned when the last owner drops it, be that
//! author code or the queue of a connection.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use grange_core::{ByteGuard, Wire};
#[cfg(feature = "serve")]
use http_body::Body;

/// A byte string up to this length is not counted.
pub(crate) const SMALL: usize = Wire::SLICED;

/// How many bytes are held, and the most there may be.
#[derive(Debug)]
pub(crate) struct ByteBudget {
    now: AtomicUsize,
    limit: usize,
}

/// The budgets of one HTTP/2 connection of the small server and of its service, among the extensions of each request's head. HTTP/1 has one
/// answer at a time.
#[derive(Clone, Debug)]
pub(crate) struct ConnectionBytes {
    pub(crate) connection: Arc<ByteBudget>,
    pub(crate) service: Arc<ByteBudget>,
}

impl ConnectionBytes {
    /// Counts bytes in both budgets; `None` if one has no room.
    pub(crate) fn hold(&self, bytes: usize) -> Option<[Held; 2]> {
        Some([self.connection.hold(bytes)?, self.service.hold(bytes)?])
    }

    /// Counts a small body, of which a connection may have many. Large ones are counted already.
    #[cfg(feature = "serve")]
    pub(crate) fn hold_small(&self, body: &impl Body) -> Option<[Held; 2]> {
        let bytes = body.size_hint().exact().and_then(|exact| usize::try_from(exact).ok());
        self.hold(bytes.filter(|bytes| *bytes <= SMALL).unwrap_or_default())
    }
}

/// A part of the budget. Returned when dropped.
pub(crate) struct Held {
    budget: Arc<ByteBudget>,
    bytes: usize,
}

impl ByteBudget {
    pub(crate) fn new(limit: usize) -> Self {
        Self { now: AtomicUsize::new(0), limit }
    }

    /// The most bytes that may be held.
    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    /// A part of no bytes, which can grow.
    pub(crate) fn open(self: &Arc<Self>) -> Held {
        Held { budget: self.clone(), bytes: 0 }
    }

    /// A part of so many bytes; `None` if there is no room.
    pub(crate) fn hold(self: &Arc<Self>, bytes: usize) -> Option<Held> {
        let mut held = self.open();
        held.grow_to(bytes).then_some(held)
    }

    /// The sum is never above the limit, not even for a moment.
    fn add(&self, more: usize) -> bool {
        let sum = |now: usize| now.checked_add(more).filter(|sum| *sum <= self.limit);
        self.now.fetch_update(Ordering::SeqCst, Ordering::SeqCst, sum).is_ok()
    }
}

impl Held {
    /// Counts `bytes` from now on; `false` if there is no room for them.
    #[must_use]
    pub(crate) fn grow_to(&mut self, bytes: usize) -> bool {
        let more = bytes.saturating_sub(self.bytes);
        let has_room = more == 0 || self.budget.add(more);
        if has_room {
            self.bytes = self.bytes.max(bytes);
        }
        has_room
    }

    /// The same bytes, counted until the last slice of them is dropped; `None` if there is no room for them.
    pub(crate) fn keep(&mut self, bytes: Bytes) -> Option<Bytes> {
        if bytes.len() <= SMALL {
            return Some(bytes);
        }
        let mut held = Self { budget: self.budget.clone(), bytes: std::mem::take(&mut self.bytes) };
        held.grow_to(bytes.len()).then(|| ByteGuard::new(held).guard(bytes))
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if self.bytes > 0 {
            self.budget.now.fetch_sub(self.bytes, Ordering::SeqCst);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_held_shares_one_budget() {
        let budget = Arc::new(ByteBudget::new(20));
        let [mut first, mut second] = [budget.open(), budget.open()];
        assert!(first.grow_to(12) && first.grow_to(12) && first.grow_to(5), "what has arrived counts once");
        assert!(second.grow_to(8));
        assert!(!second.grow_to(9), "together they have 20 bytes");
        drop(second);
        assert!(first.grow_to(20) && budget.hold(1).is_none());
    }

    #[test]
    fn large_bytes_are_counted_until_their_last_slice_is_dropped() {
        let budget = Arc::new(ByteBudget::new(SMALL + 1));
        let small = budget.open().keep(vec![0; SMALL].into());
        let large = budget.open().keep(vec![0; SMALL + 1].into()).expect("there is room");
        assert!(small.is_some() && budget.hold(1).is_none());
        let slice = large.slice(7..9);
        drop(large);
        assert!(budget.open().keep(vec![0; SMALL + 1].into()).is_none());
        drop(slice);
        assert!(budget.hold(SMALL + 1).is_some());
    }
}
