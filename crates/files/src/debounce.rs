//! When to look at what changed: after a time without events, so that one save is one change, and not later than the longest wait, so
//! that a directory that never rests is followed too. It reads no clock.

use std::time::{Duration, Instant};

use crate::hint::Hints;

const QUIET: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(1);

/// Hints that wait.
#[derive(Debug, Default)]
pub(crate) struct Debounce {
    waiting: Option<Waiting>,
}

#[derive(Debug)]
struct Waiting {
    hints: Hints,
    first: Instant,
    latest: Instant,
}

impl Debounce {
    pub(crate) fn add(&mut self, hints: Hints, now: Instant) {
        if hints.is_empty() {
            return;
        }
        match &mut self.waiting {
            Some(waiting) => {
                waiting.hints.merge(hints);
                waiting.latest = now;
            }
            None => self.waiting = Some(Waiting { hints, first: now, latest: now }),
        }
    }

    /// When the hints are to be taken.
    pub(crate) fn due(&self) -> Option<Instant> {
        let waiting = self.waiting.as_ref()?;
        Some((waiting.latest + QUIET).min(waiting.first + LONGEST))
    }

    /// The hints, once they are due.
    pub(crate) fn take(&mut self, now: Instant) -> Option<Hints> {
        if self.due()? > now {
            return None;
        }
        self.waiting.take().map(|waiting| waiting.hints)
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::Debounce;
    use crate::hint::Hints;

    fn hint(folder: &str) -> Hints {
        Hints { folders: [folder.to_owned()].into(), ..Hints::default() }
    }

    #[test]
    fn l4_10_hints_are_taken_after_100_ms_of_quiet() {
        let (start, mut debounce) = (Instant::now(), Debounce::default());
        let at = |milliseconds| start + Duration::from_millis(milliseconds);
        assert_eq!((debounce.due(), debounce.take(at(0))), (None, None));
        debounce.add(Hints::default(), at(0));
        assert_eq!(debounce.due(), None);
        debounce.add(hint("a"), at(0));
        debounce.add(hint("b"), at(99));
        assert_eq!((debounce.due(), debounce.take(at(198))), (Some(at(199)), None));
        let taken = debounce.take(at(199)).unwrap();
        assert_eq!(taken.folders.into_iter().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(debounce.due(), None);
    }

    #[test]
    fn l4_10_hints_without_a_pause_are_taken_after_1_s() {
        let (start, mut debounce) = (Instant::now(), Debounce::default());
        let at = |milliseconds| start + Duration::from_millis(milliseconds);
        for step in 0..20 {
            debounce.add(hint("a"), at(step * 50));
            assert_eq!(debounce.take(at(step * 50)), None);
        }
        assert_eq!(debounce.due(), Some(at(1000)));
        assert_eq!(debounce.take(at(1000)), Some(hint("a")));
    }
}
