//! Samples the memory of the server process each second, and decides whether it is flat.
//!
//! **Flat**: after the warm-up, the median of the last quarter of the samples is at most 2 % and 1 MiB above that of
//! the second quarter. Between the middles of the two quarters is half of the time, in which a leak of each request
//! adds up: 100 bytes at 1,000 requests per second are 2.3 MiB in a run of one minute, while a server of 33 MiB may
//! grow by 1.7. The median is used, because single samples vary by 2 MiB when large answers are in transit or the
//! allocator has just released memory, which affects a mean or a minimum. The second quarter is used, because caches
//! may still be filled in the first.
//!
//! Clients that read nothing make the server hold up to `service_bytes` for them, more at one time than at another. In the soak that is
//! 2 MiB, of which the medians of two quarters differ by a part. So the tolerance is the same as without such clients.

use std::rc::Rc;
use std::time::Duration;

use grange_benches::process::Served;
use tokio::time::{Instant, sleep_until};

use crate::Result;

/// Settings of glibc for the server: it returns what is freed. Otherwise the memory shows mostly what the allocator keeps, which varies by
/// more than the tolerance where the machine is busy.
pub(crate) const ALLOCATOR: [(&str, &str); 3] =
    [("MALLOC_ARENA_MAX", "1"), ("MALLOC_MMAP_THRESHOLD_", "65536"), ("MALLOC_TRIM_THRESHOLD_", "262144")];

/// One sample of the process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// The time since the start, in seconds.
    pub(crate) at: f64,
    pub(crate) kib: u32,
    pub(crate) descriptors: usize,
}

/// Samples each second until the end.
pub(crate) async fn watch(served: Rc<Served>, end: Instant) -> Result<Vec<Sample>> {
    const EVERY: Duration = Duration::from_secs(1);
    let begin = Instant::now();
    let mut samples = Vec::new();
    let mut next = begin + EVERY;
    while next <= end {
        sleep_until(next).await;
        next += EVERY;
        let (kib, descriptors) = (u32::try_from(served.memory_kib("VmRSS:")?)?, served.descriptors()?);
        samples.push(Sample { at: begin.elapsed().as_secs_f64(), kib, descriptors });
    }
    Ok(samples)
}

/// The comparison of two quarters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Growth {
    pub(crate) second: f64,
    pub(crate) last: f64,
    /// The maximum for the last quarter.
    pub(crate) bound: f64,
    /// The time between the middles of the quarters, in seconds.
    pub(crate) apart: f64,
}

impl Growth {
    /// Compares the samples after the warm-up, which is a fifth of the time and at least ten seconds.
    pub(crate) fn of(samples: &[Sample]) -> Result<Self> {
        const WARM: f64 = 10.0;
        const FEWEST: usize = 6;
        const SHARE: f64 = 0.02;
        const MORE: f64 = 1024.0;
        let whole = samples.last().ok_or("no samples")?.at;
        let counted: Vec<&Sample> = samples.iter().filter(|sample| sample.at > WARM.max(whole / 5.0)).collect();
        let quarter = counted.len() / 4;
        if quarter < FEWEST {
            return Err("the run is too short to judge the memory".into());
        }
        let (second, last) = (&counted[quarter..2 * quarter], &counted[counted.len() - quarter..]);
        let kib = |samples: &[&Sample]| median(samples, |sample| f64::from(sample.kib));
        let at = |samples: &[&Sample]| median(samples, |sample| sample.at);
        let bound = kib(second) * (1.0 + SHARE) + MORE;
        Ok(Self { second: kib(second), last: kib(last), bound, apart: at(last) - at(second) })
    }

    pub(crate) fn is_flat(&self) -> bool {
        self.last <= self.bound
    }

    /// The smallest leak per request that would be detected, in bytes, at this rate of requests per second.
    pub(crate) fn least_leak(&self, rate: f64) -> f64 {
        (self.bound - self.second) * 1024.0 / (self.apart * rate)
    }
}

fn median(samples: &[&Sample], of: impl Fn(&Sample) -> f64) -> f64 {
    let mut values: Vec<f64> = samples.iter().map(|sample| of(sample)).collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Growth, Sample};

    fn growth(seconds: u32, kib: impl Fn(u32) -> u32) -> Growth {
        let sample = |at| Sample { at: f64::from(at), kib: kib(at), descriptors: 0 };
        Growth::of(&(1..=seconds).map(sample).collect::<Vec<_>>()).expect("samples")
    }

    #[test]
    fn early_growth_and_fluctuations_count_as_flat() {
        assert!(growth(60, |at| 20_000 + 5_000 * at.min(12)).is_flat());
        assert!(growth(60, |at| if at % 4 == 0 { 35_000 } else { 33_000 }).is_flat());
    }

    #[test]
    fn a_leak_of_100_bytes_per_request_is_detected() {
        let leaking = growth(60, |at| 33_000 + at * 1000 * 100 / 1024);
        assert!(!leaking.is_flat(), "{leaking:?}");
        assert!(leaking.least_leak(1000.0) < 100.0);
    }

    #[test]
    fn a_short_run_is_an_error() {
        assert!(Growth::of(&[]).is_err());
        let few: Vec<_> = (1..=30).map(|at| Sample { at: f64::from(at), kib: 1, descriptors: 0 }).collect();
        assert!(Growth::of(&few).is_err());
    }
}
