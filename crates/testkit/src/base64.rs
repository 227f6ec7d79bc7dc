//! Standard base64 with padding, as a client writes it. Written out: a test of the server's decoder should not share its
//! crate.

/// Encodes.
pub(crate) fn encode(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = Vec::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |index| usize::from(*chunk.get(index).unwrap_or(&0));
        let group = byte(0) << 16 | byte(1) << 8 | byte(2);
        let digits = [18, 12, 6, 0].map(|shift| ALPHABET[group >> shift & 63]);
        out.extend_from_slice(&digits[..=chunk.len()]);
        out.extend_from_slice(&b"=="[..3 - chunk.len()]);
    }
    String::from_utf8(out).expect("the alphabet is ASCII")
}

#[cfg(test)]
mod tests {
    use super::encode;

    #[test]
    fn the_examples_of_rfc_4648_hold() {
        for (bytes, expected) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encode(bytes.as_bytes()), expected);
        }
        assert_eq!(encode(b"\xfb\xff\x00"), "+/8A");
    }
}
