//! How many bytes of events a service keeps for clients that may come back, in all its sessions together.
//!
//! Streams whose request is over and that nobody reads are given up first, the oldest first, whichever session they are
//! in. The others are bounded by the requests that run at once.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::session::Session;

/// The account of one service.
pub(crate) struct Kept {
    total: AtomicUsize,
    /// The most in all sessions together.
    most: usize,
    /// The most in one session.
    most_in_session: usize,
    left: Mutex<Left>,
}

/// A stream that is over and has no reader. Dropped when it is read again or given up.
pub(crate) struct LeftStream {
    pub(crate) session: Weak<Session>,
    pub(crate) stream: u64,
}

/// Such streams, the oldest first; some may be gone.
struct Left {
    streams: VecDeque<Weak<LeftStream>>,
    /// From this many on, those that are gone are cleared away.
    tidy_at: usize,
}

const FEW: usize = 64;

impl Kept {
    pub(crate) fn new(most: usize, most_in_session: usize) -> Self {
        let left = Mutex::new(Left { streams: VecDeque::new(), tidy_at: FEW });
        Self { total: AtomicUsize::new(0), most, most_in_session, left }
    }

    pub(crate) fn most_in_session(&self) -> usize {
        self.most_in_session
    }

    /// A session keeps now what it did not before, or the other way round.
    pub(crate) fn change(&self, before: usize, now: usize) {
        self.total.fetch_add(now, Ordering::Relaxed);
        self.total.fetch_sub(before, Ordering::Relaxed);
    }

    pub(crate) fn leave(&self, stream: &Arc<LeftStream>) {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        if left.streams.len() >= left.tidy_at {
            left.streams.retain(|stream| stream.strong_count() > 0);
            left.tidy_at = FEW + 2 * left.streams.len();
        }
        left.streams.push_back(Arc::downgrade(stream));
    }

    /// Gives streams up until the rest is within the bound; `false` if that is not enough. **No session may be locked.**
    pub(crate) fn reclaim(&self) -> bool {
        while self.total.load(Ordering::Relaxed) > self.most {
            let oldest = self.left.lock().unwrap_or_else(PoisonError::into_inner).streams.pop_front();
            let Some(oldest) = oldest else { return false };
            if let Some(left) = oldest.upgrade()
                && let Some(session) = left.session.upgrade()
            {
                session.give_up(left.stream);
            }
        }
        true
    }
}

#[cfg(test)]
impl Kept {
    pub(crate) fn streams_left(&self) -> usize {
        self.left.lock().unwrap().streams.len()
    }
}
