//! A simple timing loop. Reports the minimum of several rounds, since noise only adds, and the allocations of one run.

use std::hint::black_box;
use std::time::{Duration, Instant};

const ROUNDS: usize = 7;
const ROUND: Duration = Duration::from_millis(20);

/// The cost of one run.
pub(crate) struct Cost {
    pub(crate) nanoseconds: f64,
    pub(crate) allocations: u64,
    pub(crate) bytes: u64,
}

pub(crate) fn measure(run: &mut impl FnMut() -> usize) -> Cost {
    let repeats = repeats(run);
    let least = (0..ROUNDS).map(|_| time(run, repeats)).min().unwrap_or_default();
    let allocated = allocation_counter::measure(|| {
        black_box(run());
    });
    Cost {
        nanoseconds: least.as_secs_f64() * 1e9 / f64::from(repeats),
        allocations: allocated.count_total,
        bytes: allocated.bytes_total,
    }
}

/// The number of runs that take about [`ROUND`]; also warms up.
fn repeats(run: &mut impl FnMut() -> usize) -> u32 {
    let mut repeats = 16;
    while time(run, repeats) < ROUND && repeats < 1 << 24 {
        repeats *= 2;
    }
    repeats
}

fn time(run: &mut impl FnMut() -> usize, repeats: u32) -> Duration {
    let began = Instant::now();
    for _ in 0..repeats {
        black_box(run());
    }
    began.elapsed()
}
