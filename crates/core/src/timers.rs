//! The timers that author code waits for in one job. They have no clock: the driver passes the time to the job, and the
//! job returns when it needs the time again.

use std::sync::{Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use crate::lock::lock;

/// The timers of one job.
#[derive(Default)]
pub(crate) struct Timers(Mutex<State>);

#[derive(Default)]
struct State {
    timers: Vec<Timer>,
    next: u64,
    /// The job is over. All timers have ended, and new ones end at once.
    has_ended: bool,
}

struct Timer {
    id: u64,
    time: Duration,
    /// When it ends; known once the driver has passed the time.
    due: Option<Instant>,
    waker: Option<Waker>,
}

impl Timers {
    /// Starts a timer. Its time begins with the next [`poll_timeout`](Self::poll_timeout).
    pub(crate) fn start(&self, time: Duration) -> u64 {
        let mut state = self.state();
        let id = state.next;
        state.next += 1;
        if !state.has_ended {
            state.timers.push(Timer { id, time, due: None, waker: None });
        }
        id
    }

    pub(crate) fn poll(&self, id: u64, cx: &Context<'_>) -> Poll<()> {
        let mut state = self.state();
        let Some(timer) = state.timers.iter_mut().find(|timer| timer.id == id) else { return Poll::Ready(()) };
        let before = timer.waker.replace(cx.waker().clone());
        drop(state);
        // Dropping a waker may run code.
        drop(before);
        Poll::Pending
    }

    pub(crate) fn stop(&self, id: u64) {
        let stopped: Vec<_> = self.state().timers.extract_if(.., |timer| timer.id == id).collect();
        drop(stopped);
    }

    /// Returns when the next timer ends. The time of new timers begins at `now`.
    pub(crate) fn poll_timeout(&self, now: Instant) -> Option<Instant> {
        let mut state = self.state();
        for timer in state.timers.iter_mut().filter(|timer| timer.due.is_none()) {
            timer.due = now.checked_add(timer.time);
        }
        state.timers.iter().filter_map(|timer| timer.due).min()
    }

    /// Ends the timers that are due at `now`.
    pub(crate) fn handle_timeout(&self, now: Instant) {
        let is_over = |timer: &mut Timer| timer.due.is_some_and(|due| due <= now);
        let over: Vec<_> = self.state().timers.extract_if(.., is_over).filter_map(|timer| timer.waker).collect();
        over.into_iter().for_each(Waker::wake);
    }

    /// Ends all timers, also those that are started later.
    pub(crate) fn end(&self) {
        let mut state = self.state();
        state.has_ended = true;
        let timers = std::mem::take(&mut state.timers);
        drop(state);
        timers.into_iter().filter_map(|timer| timer.waker).for_each(Waker::wake);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.0)
    }
}
