//! The checksum of page cursors: FNV-1a of 64 bits, written out here so that every process of every build computes the same.
//!
//! It is no secret and no signature. It recognizes cursors of other lists, and typing errors.

/// A checksum of fields, in order.
#[derive(Clone, Copy)]
pub(crate) struct Checksum(u64);

impl Checksum {
    pub(crate) const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Adds a text. Its length is added too, so that no two sequences of fields are one.
    pub(crate) fn text(self, text: &str) -> Self {
        text.bytes().fold(self.number(text.len()), Self::byte)
    }

    pub(crate) fn number(self, number: usize) -> Self {
        (number as u64).to_le_bytes().into_iter().fold(self, Self::byte)
    }

    fn byte(self, byte: u8) -> Self {
        Self((self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }

    pub(crate) fn value(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Checksum;

    #[test]
    fn l5_3_the_checksum_is_the_same_in_every_process() {
        assert_eq!(b"foobar".iter().fold(Checksum::new(), |sum, byte| sum.byte(*byte)).value(), 0x8594_4171_f739_67e8);
        assert_eq!(Checksum::new().text("docs://a").number(4).value(), 0x40dc_12a0_5f5e_80c1);
        assert_ne!(Checksum::new().text("a").text("bc").value(), Checksum::new().text("ab").text("c").value());
    }
}
