//! Pseudo-random numbers from a seed, for reproducible choices and not for secrets.

use std::time::Duration;

/// One generator (`SplitMix64`).
pub(crate) struct Random(u64);

impl Random {
    /// Different streams of one seed give different numbers.
    pub(crate) fn new(seed: u64, stream: u64) -> Self {
        let mut source = Self(seed ^ stream.wrapping_mul(0xd6e8_feb8_6659_fd93));
        source.next();
        source
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from `least` to `most`, both included.
    pub(crate) fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.next() % (most.saturating_sub(least) + 1)
    }

    /// True with a probability of `percent` per cent.
    pub(crate) fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    pub(crate) fn milliseconds(&mut self, least: u64, most: u64) -> Duration {
        Duration::from_millis(self.between(least, most))
    }

    /// An index into a list that is not empty.
    pub(crate) fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.next() % (length as u64).max(1)).unwrap_or_default()
    }

    pub(crate) fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.index(choices.len())]
    }

    pub(crate) fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.next().to_le_bytes()[0]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn a_seed_repeats_and_streams_differ() {
        let draw = |seed, stream| -> Vec<u64> {
            let mut random = Random::new(seed, stream);
            (0..8).map(|_| random.next()).collect()
        };
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(1, 3));
        assert_ne!(draw(1, 2), draw(2, 2));
    }
}
