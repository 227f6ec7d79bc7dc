//! What all workers share: where the server is, the pace, the questions, and the tally of what came.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use crate::question::Questions;
use crate::trouble::Trouble;

/// The world of one run.
pub(crate) struct World {
    pub(crate) address: SocketAddr,
    pub(crate) questions: RefCell<Questions>,
    pub(crate) tally: RefCell<Tally>,
    pub(crate) pace: Pace,
    /// Held by the one worker that crowds the sessions: two of them would throw out each other's before they are in use, for ever.
    pub(crate) crowd: Cell<bool>,
    /// When the workers stop.
    pub(crate) end: Instant,
}

/// So many exchanges a second at most, so that the machine's other users live.
pub(crate) struct Pace {
    gap: Duration,
    next: Cell<Instant>,
}

impl Pace {
    pub(crate) fn new(rate: u32) -> Self {
        Self { gap: Duration::from_secs(1) / rate.max(1), next: Cell::new(Instant::now()) }
    }

    /// Waits for the turn of one exchange. What a slow moment lost is made up for only in part.
    pub(crate) async fn turn(&self) {
        const BEHIND: Duration = Duration::from_millis(100);
        let now = Instant::now();
        let turn = self.next.get().max(now.checked_sub(BEHIND).unwrap_or(now));
        self.next.set(turn + self.gap);
        sleep_until(turn).await;
    }
}

/// What came of the load, by its kind.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) counts: BTreeMap<(&'static str, &'static str), u64>,
    /// The longest that a kind took, pauses of its own included.
    pub(crate) longest: BTreeMap<&'static str, Duration>,
    pub(crate) wrong: Vec<String>,
    pub(crate) late: Vec<String>,
}

impl Tally {
    pub(crate) fn note(&mut self, kind: &'static str, outcome: &'static str) {
        *self.counts.entry((kind, outcome)).or_default() += 1;
    }

    pub(crate) fn note_time(&mut self, kind: &'static str, time: Duration) {
        let longest = self.longest.entry(kind).or_default();
        *longest = time.max(*longest);
    }

    pub(crate) fn note_trouble(&mut self, kind: &'static str, trouble: Trouble) {
        let (outcome, list, what) = match trouble {
            Trouble::Wrong(what) => ("WRONG", &mut self.wrong, what),
            Trouble::Late(what) => ("late", &mut self.late, what),
        };
        list.push(format!("{kind}: {what}"));
        self.note(kind, outcome);
    }

    /// How often that came, of every kind.
    pub(crate) fn of(&self, outcome: &str) -> u64 {
        self.counts.iter().filter(|(row, _)| row.1 == outcome).map(|(_, count)| count).sum()
    }

    pub(crate) fn all(&self) -> u64 {
        self.counts.values().sum()
    }
}
