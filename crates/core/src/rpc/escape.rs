//! JSON strings, written by vector instructions.
//!
//! `serde_json` writes strings byte by byte; that was a quarter of what a read of computed text cost. What comes out is the
//! same, which a property test holds.

/// Appends a JSON string.
pub(crate) fn write_string(out: &mut Vec<u8>, value: &str) {
    json_escape_simd::escape_into(value, out);
}

/// Whether a text is its own JSON spelling. Looks at whole blocks, of which compilers make vector instructions.
pub(crate) fn is_plain(text: &str) -> bool {
    let special = |byte: &u8| u8::from(*byte < 0x20) | u8::from(*byte == b'"') | u8::from(*byte == b'\\');
    text.as_bytes().chunks(64).all(|block| block.iter().fold(0, |found, byte| found | special(byte)) == 0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(text: &str) -> Vec<u8> {
        let mut out = b"before".to_vec();
        write_string(&mut out, text);
        out.split_off(6)
    }

    proptest! {
        #[test]
        fn what_is_written_is_what_serde_json_writes(text in "[\\x00-\\x24\"\\\\/a-z\\x7f-\\u{120}\u{2028}\u{10ffff}]{0,200}") {
            prop_assert_eq!(&written(&text), &serde_json::to_vec(&text).expect("a string is representable"));
            prop_assert_eq!(is_plain(&text), written(&text).len() == text.len() + 2);
        }
    }

    #[test]
    fn every_byte_is_found_at_every_place() {
        for byte in 0..=0x7f_u8 {
            for place in 0..70 {
                let text = format!("{}{}{}", "x".repeat(place), char::from(byte), "\u{e9}".repeat(40));
                assert_eq!(written(&text), serde_json::to_vec(&text).expect("a string is representable"), "{text:?}");
            }
        }
    }
}
