//! The state that all workers share: the server's address, the pace, the questions, and the counts of outcomes.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use crate::failure::Failure;
use crate::question::Questions;

/// The state of one run.
pub(crate) struct Shared {
    pub(crate) address: SocketAddr,
    pub(crate) questions: RefCell<Questions>,
    pub(crate) counts: RefCell<Counters>,
    pub(crate) pace: Pace,
    /// Held by the only worker that fills the session store: two of them would evict each other's sessions before these
    /// are in use.
    pub(crate) crowd: Cell<bool>,
    /// When the workers stop.
    pub(crate) end: Instant,
}

/// Limits the number of exchanges per second, so that the machine stays usable.
pub(crate) struct Pace {
    gap: Duration,
    next: Cell<Instant>,
}

impl Pace {
    pub(crate) fn new(rate: u32) -> Self {
        Self { gap: Duration::from_secs(1) / rate.max(1), next: Cell::new(Instant::now()) }
    }

    /// Waits for the turn of one exchange. After a delay, only part of the lost turns are made up.
    pub(crate) async fn turn(&self) {
        const BEHIND: Duration = Duration::from_millis(100);
        let now = Instant::now();
        let turn = self.next.get().max(now.checked_sub(BEHIND).unwrap_or(now));
        self.next.set(turn + self.gap);
        sleep_until(turn).await;
    }
}

/// The outcomes by kind of load.
#[derive(Default)]
pub(crate) struct Counters {
    pub(crate) counts: BTreeMap<(&'static str, &'static str), u64>,
    /// The longest duration of each kind, with its own pauses.
    pub(crate) longest: BTreeMap<&'static str, Duration>,
    pub(crate) wrong: Vec<String>,
    pub(crate) late: Vec<String>,
}

impl Counters {
    pub(crate) fn note(&mut self, kind: &'static str, outcome: &'static str) {
        *self.counts.entry((kind, outcome)).or_default() += 1;
    }

    pub(crate) fn note_time(&mut self, kind: &'static str, time: Duration) {
        let longest = self.longest.entry(kind).or_default();
        *longest = time.max(*longest);
    }

    pub(crate) fn note_failure(&mut self, kind: &'static str, failure: Failure) {
        let (outcome, list, what) = match failure {
            Failure::Wrong(what) => ("WRONG", &mut self.wrong, what),
            Failure::Late(what) => ("late", &mut self.late, what),
        };
        list.push(format!("{kind}: {what}"));
        self.note(kind, outcome);
    }

    /// How often an outcome occurred, over all kinds.
    pub(crate) fn of(&self, outcome: &str) -> u64 {
        self.counts.iter().filter(|(row, _)| row.1 == outcome).map(|(_, count)| count).sum()
    }

    pub(crate) fn all(&self) -> u64 {
        self.counts.values().sum()
    }
}
