//! The report at the end: the counts, the memory over time, and a line for each check.

use std::time::Duration;

use crate::sample::Sample;
use crate::shared::Counters;

/// The checks and their results.
#[derive(Default)]
pub(crate) struct Checks {
    passed: u32,
    failed: u32,
}

impl Checks {
    /// Records and prints one check.
    pub(crate) fn check(&mut self, holds: bool, what: impl std::fmt::Display) {
        println!("{} {what}", if holds { "ok  " } else { "FAIL" });
        if holds {
            self.passed += 1;
        } else {
            self.failed += 1;
        }
    }

    /// Prints the last line; returns whether all checks passed.
    pub(crate) fn close(self) -> bool {
        println!("{} passed, {} failed", self.passed, self.failed);
        self.failed == 0 && self.passed > 0
    }
}

/// Prints the outcomes of each kind.
pub(crate) fn show_counts(counts: &Counters) {
    let mut kind = "";
    for (row, count) in &counts.counts {
        let shown = if row.0 == kind { "" } else { row.0 };
        println!("  {shown:<16}{:<24}{count:>9}", row.1);
        kind = row.0;
    }
    let longest = counts.longest.iter().map(|(kind, time)| format!("{kind} {}", seconds(*time)));
    println!("  the longest of each: {}", longest.collect::<Vec<_>>().join(", "));
    for (what, list) in [("late", &counts.late), ("WRONG", &counts.wrong)] {
        const MOST: usize = 20;
        list.iter().take(MOST).for_each(|line| println!("  {what}: {line}"));
        if list.len() > MOST {
            println!("  {what}: … and {} more", list.len() - MOST);
        }
    }
}

/// Prints memory and descriptors, in a limited number of lines.
pub(crate) fn show_samples(samples: &[Sample]) {
    const LINES: usize = 60;
    for sample in samples.iter().step_by(samples.len().div_ceil(LINES).max(1)) {
        println!("  {:>5.0} s {:>9} KiB {:>5} descriptors", sample.at, sample.kib, sample.descriptors);
    }
}

pub(crate) fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}
