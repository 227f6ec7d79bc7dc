//! The token bucket of a fake host: how often it answers, and when to come back.

use std::time::Duration;

/// So many parts are one token: a nanosecond brings as many as there are tokens a second. Whole numbers, so that coming
/// back at exactly the time that was said is never too early.
const TOKEN: u128 = 1_000_000_000;

/// A bucket that is full at first.
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

    /// Takes a token; else gives the milliseconds until there is one.
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
    fn coming_back_when_it_said_succeeds_and_a_nanosecond_before_does_not() {
        for per_second in [1, 3, 7, 100, 999, 1000, 1_000_000] {
            let mut bucket = Bucket::new(2, per_second);
            let mut now = Duration::from_millis(17);
            assert_eq!((bucket.take(now), bucket.take(now)), (Ok(()), Ok(())));
            for _ in 0..50 {
                let wait = bucket.take(now).expect_err("it is empty");
                assert!(wait >= 1);
                if per_second < 1000 {
                    // Rounded up to a millisecond, so one less is too early.
                    let early = now + Duration::from_millis(wait - 1);
                    assert!(bucket.clone().take(early).is_err());
                }
                now += Duration::from_millis(wait);
                assert_eq!(bucket.take(now), Ok(()));
                // What is left over for a fast bucket is taken too.
                while bucket.take(now).is_ok() {}
            }
        }
    }

    #[test]
    fn it_holds_no_more_than_a_burst() {
        let mut bucket = Bucket::new(3, 100);
        let later = Duration::from_secs(3600);
        assert_eq!(
            (0..5).map(|_| bucket.take(later).err()).collect::<Vec<_>>(),
            [None, None, None, Some(10), Some(10)]
        );
    }
}
