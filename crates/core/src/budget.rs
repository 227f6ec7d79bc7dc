//! The bytes that one connection holds for its client. They are returned when the value that holds them is dropped, on whatever thread.
//!
//! Not here: what follows when there is no room (`connection.rs`, `session/requests.rs`).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The sum of the bytes. Clones are the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Budget(Arc<AtomicUsize>);

/// Bytes that are held. Dropped, it returns them.
#[derive(Debug)]
pub(crate) struct Charge {
    budget: Budget,
    bytes: usize,
}

impl Budget {
    /// How many bytes are held.
    pub(crate) fn bytes(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// Holds bytes until the charge is dropped. `None` if there would be more than `most`.
    pub(crate) fn charge(&self, bytes: usize, most: usize) -> Option<Charge> {
        let sum = |held: usize| held.checked_add(bytes).filter(|sum| *sum <= most);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, sum).ok()?;
        Some(Charge { budget: self.clone(), bytes })
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.budget.0.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_dropped_is_returned_and_what_is_too_much_is_not_held() {
        let budget = Budget::default();
        let first = budget.charge(6, 10);
        assert!(first.is_some() && budget.clone().charge(5, 10).is_none());
        assert!(budget.charge(usize::MAX - 6, 10).is_none());
        assert_eq!(budget.bytes(), 6);
        let rest = budget.charge(4, 10);
        drop(first);
        assert_eq!((rest.is_some(), budget.bytes()), (true, 4));
        drop(rest);
        assert_eq!(budget.bytes(), 0);
    }
}
