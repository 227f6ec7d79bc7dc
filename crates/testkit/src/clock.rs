//! A clock that only a test advances.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::{Duration, Instant};

/// The clock of an in-memory client. Clones show the same time.
///
/// A request that has run for the server's `Limits::request_time` on this clock times out. Real time has no effect.
///
/// ```
/// use std::time::{Duration, Instant};
/// let clock = grange_testkit::ManualClock::new();
/// clock.clone().advance(Duration::from_secs(61));
/// assert_eq!(clock.now(), Duration::from_secs(61));
/// ```
#[derive(Clone, Debug, Default)]
pub struct ManualClock(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    now: Duration,
    /// An arbitrary instant: only differences from it are used.
    zero: Option<Instant>,
    /// The tasks to wake when the clock advances, since a deadline may have passed.
    waiting: Vec<Waker>,
}

impl ManualClock {
    /// A clock at zero.
    pub fn new() -> Self {
        Self::default()
    }

    /// The time since the clock was made.
    pub fn now(&self) -> Duration {
        self.state().now
    }

    /// The same time as an `Instant`, for the engine.
    pub(crate) fn instant(&self) -> Instant {
        let mut state = self.state();
        *state.zero.get_or_insert_with(Instant::now) + state.now
    }

    /// Advances the clock, and wakes the tasks that wait so that they check their deadlines.
    pub fn advance(&self, time: Duration) {
        let mut state = self.state();
        state.now += time;
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        waiting.into_iter().for_each(Waker::wake);
    }

    /// Wakes the task when the clock advances next.
    pub(crate) fn wake_on_advance(&self, waker: &Waker) {
        let mut state = self.state();
        if !state.waiting.iter().any(|other| other.will_wake(waker)) {
            state.waiting.push(waker.clone());
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
