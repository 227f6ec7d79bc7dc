//! The budget of bytes for events that are kept for clients which resume a stream, in all sessions of a service together.
//!
//! Streams whose request is over and that have no reader are evicted first, the oldest first, whichever session they belong to. The
//! others are bounded by the number of requests that run at once.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};

use crate::lock::lock;

/// The account of one service.
pub(crate) struct ReplayBudget {
    total: AtomicUsize,
    /// The most in all sessions together.
    most: usize,
    /// The most in one session.
    most_in_session: usize,
    evictable: Mutex<Queue>,
}

/// The owner of streams that may be evicted.
pub(crate) trait Evict: Send + Sync {
    /// Drops that stream, unless it has a reader again.
    fn evict(&self, stream: u64);
}

/// A stream that is over and has no reader. Dropped when the stream is read again or dropped.
pub(crate) struct Evictable {
    pub(crate) owner: Weak<dyn Evict>,
    pub(crate) stream: u64,
}

/// Such streams, the oldest first; some may be gone.
struct Queue {
    streams: VecDeque<Weak<Evictable>>,
    /// At this length those that are gone are removed.
    tidy_at: usize,
}

const FEW: usize = 64;

impl ReplayBudget {
    pub(crate) fn new(most: usize, most_in_session: usize) -> Self {
        let evictable = Mutex::new(Queue { streams: VecDeque::new(), tidy_at: FEW });
        Self { total: AtomicUsize::new(0), most, most_in_session, evictable }
    }

    pub(crate) fn most_in_session(&self) -> usize {
        self.most_in_session
    }

    /// A session had so many bytes before, and has so many now.
    pub(crate) fn change(&self, before: usize, now: usize) {
        self.total.fetch_add(now, Ordering::Relaxed);
        self.total.fetch_sub(before, Ordering::Relaxed);
    }

    /// That stream may be evicted from now on, as long as the other owner of it keeps it.
    pub(crate) fn offer(&self, stream: &Arc<Evictable>) {
        let mut queue = lock(&self.evictable);
        if queue.streams.len() >= queue.tidy_at {
            queue.streams.retain(|stream| stream.strong_count() > 0);
            queue.tidy_at = FEW + 2 * queue.streams.len();
        }
        queue.streams.push_back(Arc::downgrade(stream));
    }

    /// Evicts streams until the rest is within the budget; `false` if that is not enough. **No session may be locked.**
    pub(crate) fn reclaim(&self) -> bool {
        while self.total.load(Ordering::Relaxed) > self.most {
            let oldest = lock(&self.evictable).streams.pop_front();
            let Some(oldest) = oldest else { return false };
            if let Some(evictable) = oldest.upgrade()
                && let Some(owner) = evictable.owner.upgrade()
            {
                owner.evict(evictable.stream);
            }
        }
        true
    }
}

#[cfg(test)]
impl ReplayBudget {
    pub(crate) fn evictable_streams(&self) -> usize {
        lock(&self.evictable).streams.len()
    }
}
