//! The token bucket of a fake host: its rate limit, and the time to wait for the next request.

use std::time::Duration;

/// The parts of one token: each nanosecond adds as many parts as there are tokens per second. Integers make a retry
/// after exactly the advertised time succeed.
const TOKEN: u128 = 1_000_000_000;

/// A token bucket, full at first.
#[derive(Clone, Debug)]
pub(super) struct Bucket {
    burst: u32,
    per_second: u32,
    parts: u128,
    filled: Duration,
}

impl Bucket {
    pub(super) fn new(burst: u32, per_second: u32) -> Self {
        Self { burst, per_second, parts: u128::from(burst) * TOKEN, filled: Duration::ZERO }
    }

    /// Takes a token, or returns the milliseconds until there is one.
    pub(super) fn take(&mut self, now: Duration) -> Result<(), u64> {
        let passed = now.saturating_sub(self.filled);
        self.filled = now;
        let more = passed.as_nanos() * u128::from(self.per_second);
        self.parts = (self.parts + more).min(u128::from(self.burst) * TOKEN);
        match self.parts.checked_sub(TOKEN) {
            Some(left) => {
                self.parts = left;
                Ok(())
            }
            None => Err(self.wait()),
        }
    }

    fn wait(&self) -> u64 {
        let in_a_millisecond = u128::from(self.per_second.max(1)) * 1_000_000;
        (TOKEN - self.parts).div_ceil(in_a_millisecond).try_into().unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_retry_after_the_advertised_time_succeeds_and_an_earlier_one_fails() {
        for per_second in [1, 3, 7, 100, 999, 1000, 1_000_000] {
            let mut bucket = Bucket::new(2, per_second);
            let mut now = Duration::from_millis(17);
            assert_eq!((bucket.take(now), bucket.take(now)), (Ok(()), Ok(())));
            for _ in 0..50 {
                let wait = bucket.take(now).expect_err("it is empty");
                assert!(wait >= 1);
                if per_second < 1000 {
                    // The wait is rounded up to a millisecond, so one millisecond less is too early.
                    let early = now + Duration::from_millis(wait - 1);
                    assert!(bucket.clone().take(early).is_err());
                }
                now += Duration::from_millis(wait);
                assert_eq!(bucket.take(now), Ok(()));
                // A fast bucket refills several tokens in a millisecond: empty it.
                while bucket.take(now).is_ok() {}
            }
        }
    }

    #[test]
    fn a_full_bucket_holds_one_burst() {
        let mut bucket = Bucket::new(3, 100);
        let later = Duration::from_secs(3600);
        assert_eq!(
            (0..5).map(|_| bucket.take(later).err()).collect::<Vec<_>>(),
            [None, None, None, Some(10), Some(10)]
        );
    }
}
