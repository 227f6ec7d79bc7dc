//! JSON strings, written: sixteen bytes at a time, which mostly are what they are.
//!
//! `serde_json` writes strings byte by byte; here that was a quarter of what a read of computed text cost. What comes out is
//! the same, which a property test holds.

const BLOCK: usize = 16;

/// Appends a JSON string.
pub(crate) fn write_string(out: &mut Vec<u8>, value: &str) {
    out.reserve(value.len() + 2);
    out.push(b'"');
    let mut rest = value.as_bytes();
    while let Some((block, after)) = rest.split_first_chunk() {
        out.extend_from_slice(block);
        let found = specials(block);
        if found == 0 {
            rest = after;
        } else {
            let plain = found.trailing_zeros() as usize / 8;
            out.truncate(out.len() - BLOCK + plain);
            write_escape(out, block[plain]);
            rest = &rest[plain + 1..];
        }
    }
    for byte in rest {
        if is_special(*byte) { write_escape(out, *byte) } else { out.push(*byte) }
    }
    out.push(b'"');
}

/// Whether a text is its own JSON spelling.
pub(crate) fn is_plain(text: &str) -> bool {
    let (blocks, rest) = text.as_bytes().as_chunks();
    blocks.iter().all(|block| specials(block) == 0) && !rest.iter().any(|byte| is_special(*byte))
}

#[inline]
fn is_special(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// A number whose bytes are zero where the block's need no escape. Compilers make vector instructions of it.
#[allow(clippy::inline_always, reason = "as a call it costs as much again as what it does")]
#[inline(always)]
fn specials(block: &[u8; BLOCK]) -> u128 {
    let mut found = [0; BLOCK];
    for (found, byte) in found.iter_mut().zip(block) {
        *found = if is_special(*byte) { 0xff } else { 0 };
    }
    u128::from_le_bytes(found)
}

#[inline]
fn write_escape(out: &mut Vec<u8>, special: u8) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    match SHORT[usize::from(special)] {
        0 => {
            let digit = |nibble: u8| DIGITS[usize::from(nibble & 0xf)];
            out.extend_from_slice(&[b'\\', b'u', b'0', b'0', digit(special >> 4), digit(special)]);
        }
        letter => out.extend_from_slice(&[b'\\', letter]),
    }
}

/// The letter that stands for a byte after a backslash; zero where there is none.
static SHORT: [u8; 256] = {
    let mut short = [0; 256];
    short[0x08] = b'b';
    short[0x09] = b't';
    short[0x0a] = b'n';
    short[0x0c] = b'f';
    short[0x0d] = b'r';
    short[b'"' as usize] = b'"';
    short[b'\\' as usize] = b'\\';
    short
};

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
        fn what_is_written_is_what_serde_json_writes(text in "[\\x00-\\x24\"\\\\/a-z\\x7f-\\u{120}\u{2028}\u{10ffff}]{0,60}") {
            prop_assert_eq!(&written(&text), &serde_json::to_vec(&text).expect("a string is representable"));
            prop_assert_eq!(is_plain(&text), written(&text).len() == text.len() + 2);
        }
    }

    #[test]
    fn every_byte_is_found_at_every_place() {
        for byte in 0..=0x7f_u8 {
            for place in 0..20 {
                let text = format!("{}{}{}", "x".repeat(place), char::from(byte), "\u{e9}".repeat(12));
                assert_eq!(written(&text), serde_json::to_vec(&text).expect("a string is representable"), "{text:?}");
            }
        }
    }
}
