//! The hash of a catalog's keys: a multiplication for each eight bytes, a third of what the standard library's takes.
//!
//! It does not resist chosen keys, and need not: the keys are the author's, and a client only looks them up.

use std::hash::{BuildHasherDefault, Hasher};

/// Builds the hasher.
pub(super) type BuildKeyHasher = BuildHasherDefault<KeyHasher>;

#[derive(Default)]
pub(super) struct KeyHasher(u64);

impl KeyHasher {
    fn add(&mut self, word: u64) {
        /// An odd number without a pattern: the fraction of the golden ratio.
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(FACTOR);
    }
}

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.add(u64::from_ne_bytes(*word));
        }
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            self.add(u64::from_ne_bytes(last));
        }
    }

    fn write_u8(&mut self, byte: u8) {
        self.add(u64::from(byte));
    }

    /// A product's best bits are its upper ones; the map takes the lower ones for the place and the highest for a tag.
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::hash::BuildHasher;

    use super::BuildKeyHasher;

    #[test]
    fn keys_that_differ_in_little_spread_over_the_places() {
        const KEYS: usize = 1 << 16;
        for pattern in ["docs://item/{}", "{}://a", "files://a/very/long/path/that/all/have/{}/end.md", "docs://{}/"] {
            let hashes = (0..KEYS).map(|n| BuildKeyHasher::default().hash_one(pattern.replace("{}", &n.to_string())));
            let hashes: Vec<u64> = hashes.collect();
            let places: HashSet<u64> = hashes.iter().map(|hash| hash & (KEYS as u64 - 1)).collect();
            let tags: HashSet<u64> = hashes.iter().map(|hash| hash >> 57).collect();
            // Of a random function 63 % of the places are taken.
            assert!(places.len() > KEYS * 55 / 100, "{pattern}: {} of {KEYS}", places.len());
            assert_eq!(tags.len(), 128, "{pattern}");
        }
    }
}
