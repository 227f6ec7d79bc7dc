//! The pause after a change, in which further changes of one listener are folded. It has no clock: the driver passes the time.

use std::time::{Duration, Instant};

/// Whether changes may be sent at this moment.
///
/// ```text
/// Quiet ──sent──▶ Begun ──poll_timeout──▶ Until(time) ──handle_timeout──▶ Quiet
/// ```
#[derive(Debug)]
pub(super) struct Pause {
    interval: Duration,
    state: State,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum State {
    Quiet,
    /// The driver has not passed the time since the change was sent.
    Begun,
    Until(Instant),
}

impl Pause {
    /// Pauses of this length. 0: none.
    pub(super) fn new(interval: Duration) -> Self {
        Self { interval, state: State::Quiet }
    }

    pub(super) fn is_quiet(&self) -> bool {
        self.state == State::Quiet
    }

    /// Begins a pause, since something was sent.
    pub(super) fn begin(&mut self) {
        if !self.interval.is_zero() {
            self.state = State::Begun;
        }
    }

    /// When the pause ends. One that began since the last call begins at `now`.
    pub(super) fn poll_timeout(&mut self, now: Instant) -> Option<Instant> {
        if self.state == State::Begun {
            // A time beyond the clock's is none: changes are then sent at once.
            self.state = now.checked_add(self.interval).map_or(State::Quiet, State::Until);
        }
        if let State::Until(due) = self.state { Some(due) } else { None }
    }

    /// Ends a pause that is over at `now`, and returns whether it did.
    pub(super) fn handle_timeout(&mut self, now: Instant) -> bool {
        let is_over = matches!(self.state, State::Until(due) if due <= now);
        if is_over {
            self.state = State::Quiet;
        }
        is_over
    }
}

#[cfg(test)]
mod tests;
