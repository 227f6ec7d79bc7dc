//! Passes hints to the thread that follows a directory. It holds a bounded number of them, however many events come.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::debounce::Debounce;
use crate::hint::Hints;

#[derive(Debug, Default)]
pub(crate) struct Signal {
    debounce: Mutex<Debounce>,
    wake: Condvar,
}

impl Signal {
    pub(crate) fn add(&self, hints: Hints) {
        self.debounce().add(hints, Instant::now());
        self.wake.notify_one();
    }

    /// Waits for hints that are due, at most until a time.
    pub(crate) fn wait(&self, until: Instant) -> Option<Hints> {
        let mut debounce = self.debounce();
        loop {
            let now = Instant::now();
            let hints = debounce.take(now);
            if hints.is_some() || now >= until {
                return hints;
            }
            let next = debounce.due().map_or(until, |due| due.min(until));
            let time = next.saturating_duration_since(now);
            debounce = self.wake.wait_timeout(debounce, time).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn debounce(&self) -> MutexGuard<'_, Debounce> {
        self.debounce.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
