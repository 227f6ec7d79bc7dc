//! The kinds of load: a table, with a file for each group.

mod cancel;
mod changes;
mod garbage;
mod half_closed;
mod http2;
mod large_batch;
mod no_window;
mod plain;
mod sessions;
mod slow;
mod stalled;
mod streams;
mod vanished;

use tokio::time::Instant;

pub(crate) use self::http2::{Multiplexed, connect};
pub(crate) use self::no_window::Unread;
pub(crate) use self::streams::acknowledged;
pub(crate) use self::vanished::LONG;
use crate::http1::HANG;
use crate::oracle::Outcome;
use crate::random::Random;
use crate::shared::{Counters, Shared};
use crate::worker::{Work, Worker};

/// One kind of load.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    /// The relative frequency.
    weight: u64,
    /// Outcomes that must occur at least once, otherwise the run proves nothing.
    pub(crate) must: &'static [&'static str],
    run: Work,
}

/// All kinds of load.
pub(crate) const ALL: &[Kind] = &[
    Kind {
        name: "modern",
        weight: 30,
        must: &["answered", "busy (503)"],
        run: |worker| Box::pin(plain::modern(worker)),
    },
    Kind { name: "legacy", weight: 25, must: &["answered"], run: |worker| Box::pin(plain::legacy(worker)) },
    Kind { name: "pipelined", weight: 12, must: &["answered"], run: |worker| Box::pin(plain::pipelined(worker)) },
    Kind { name: "batch", weight: 5, must: &["answered"], run: |worker| Box::pin(plain::batch(worker)) },
    Kind { name: "http2", weight: 8, must: &["answered", "reset"], run: |worker| Box::pin(http2::streams(worker)) },
    Kind { name: "http2 dropped", weight: 3, must: &["disconnected"], run: |worker| Box::pin(http2::dropped(worker)) },
    Kind { name: "crowd", weight: 2, must: &["no room (503)"], run: |worker| Box::pin(streams::crowd(worker)) },
    Kind {
        name: "disconnect",
        weight: 10,
        must: &["disconnected"],
        run: |worker| Box::pin(cancel::disconnect(worker)),
    },
    Kind { name: "abandon", weight: 4, must: &["abandoned"], run: |worker| Box::pin(cancel::abandon(worker)) },
    Kind { name: "cancel", weight: 8, must: &["cancelled"], run: |worker| Box::pin(cancel::cancel(worker)) },
    Kind {
        name: "cancel early",
        weight: 6,
        must: &["cancelled"],
        run: |worker| Box::pin(cancel::cancel_early(worker)),
    },
    Kind { name: "session", weight: 8, must: &["ended"], run: |worker| Box::pin(sessions::lifetime(worker)) },
    Kind { name: "sessions left", weight: 4, must: &["left"], run: |worker| Box::pin(sessions::left(worker)) },
    Kind {
        name: "asked",
        weight: 6,
        must: &["answered", "withdrawn"],
        run: |worker| Box::pin(sessions::asked(worker)),
    },
    Kind { name: "resume", weight: 6, must: &["resumed"], run: |worker| Box::pin(sessions::resume(worker)) },
    Kind { name: "listen", weight: 8, must: &["held"], run: |worker| Box::pin(streams::listen(worker)) },
    Kind {
        name: "get",
        weight: 8,
        must: &["held", "taken over", "ended with its session"],
        run: |worker| Box::pin(streams::get(worker)),
    },
    Kind { name: "changes", weight: 6, must: &["told"], run: |worker| Box::pin(changes::listen(worker)) },
    Kind { name: "changes, session", weight: 6, must: &["told"], run: |worker| Box::pin(changes::session(worker)) },
    Kind { name: "slow reader", weight: 4, must: &["answered", "left"], run: |worker| Box::pin(slow::reader(worker)) },
    Kind { name: "stopped reader", weight: 2, must: &["cut off"], run: |worker| Box::pin(slow::stopped(worker)) },
    Kind { name: "slow sender", weight: 6, must: &["answered"], run: |worker| Box::pin(slow::sender(worker)) },
    Kind {
        name: "stalled sender",
        weight: 2,
        must: &["timed out (408)", "closed"],
        run: |worker| Box::pin(slow::stalled(worker)),
    },
    Kind {
        name: "large batch",
        weight: 3,
        must: &["answered", "no bytes (503)"],
        run: |worker| Box::pin(large_batch::send(worker)),
    },
    Kind { name: "stalled reader", weight: 2, must: &["cut off"], run: |worker| Box::pin(stalled::readers(worker)) },
    Kind {
        name: "half-closed",
        weight: 6,
        must: &["answered", "dropped"],
        run: |worker| Box::pin(half_closed::send(worker)),
    },
    Kind { name: "vanished", weight: 10, must: &["vanished"], run: |worker| Box::pin(vanished::at_once(worker)) },
    Kind {
        name: "no window",
        weight: 1,
        must: &["reset", "silent"],
        run: |worker| Box::pin(no_window::streams(worker)),
    },
    Kind { name: "silent http2", weight: 2, must: &["closed"], run: |worker| Box::pin(no_window::silent(worker)) },
    Kind { name: "silent", weight: 2, must: &["closed", "left"], run: |worker| Box::pin(slow::silent(worker)) },
    Kind { name: "half a request", weight: 8, must: &["left"], run: |worker| Box::pin(garbage::half(worker)) },
    Kind {
        name: "wrong request",
        weight: 15,
        must: &["refused", "answered"],
        run: |worker| Box::pin(garbage::framed(worker)),
    },
    Kind {
        name: "garbage",
        weight: 10,
        must: &["refused", "closed"],
        run: |worker| Box::pin(garbage::unframed(worker)),
    },
];

/// The rejections that the low limits must cause.
pub(crate) const REJECTIONS: [Outcome; 5] =
    [Outcome::Busy, Outcome::NoRoom, Outcome::NoBytes, Outcome::NoSession, Outcome::TooManyStreams];

impl Kind {
    /// The required outcomes that have not occurred yet.
    pub(crate) fn lacking(&self, counts: &Counters) -> Vec<&'static str> {
        let lacks = |outcome: &&&'static str| !counts.counts.contains_key(&(self.name, **outcome));
        self.must.iter().filter(lacks).copied().collect()
    }
}

/// Runs one client until the end of the load. Work that has started then is completed.
pub(crate) async fn run(mut worker: Worker) {
    while !is_over(&worker.shared) {
        let kind = any(&mut worker.random);
        worker.carry_out(kind.name, kind.run).await;
    }
}

/// Whether the load is over. On a slow machine it is extended if required outcomes are missing.
fn is_over(shared: &Shared) -> bool {
    let now = Instant::now();
    now >= shared.end && (now >= shared.end + 2 * HANG || is_complete(&shared.counts.borrow()))
}

/// Whether all required outcomes have occurred.
fn is_complete(counts: &Counters) -> bool {
    let is_met = |rejection: &Outcome| counts.of(rejection.name()) > 0;
    ALL.iter().all(|kind| kind.lacking(counts).is_empty()) && REJECTIONS.iter().all(is_met)
}

/// A random kind.
fn any(random: &mut Random) -> &'static Kind {
    let all = ALL.iter().map(|kind| kind.weight).sum::<u64>();
    let mut left = random.between(0, all - 1);
    for kind in ALL {
        if left < kind.weight {
            return kind;
        }
        left -= kind.weight;
    }
    &ALL[0]
}
