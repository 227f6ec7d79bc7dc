//! Writes JSON strings with vector instructions.
//!
//! `serde_json` writes strings byte by byte, which was a quarter of the cost of a read of computed text. The output is
//! the same, as a property test proves, except for three characters: **U+2028, U+2029 and U+0085 are written as
//! escapes**, because line readers of several languages end a line there.

use std::io;

use memchr::memchr2;
use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};

/// Appends a JSON string.
pub(crate) fn write_string(out: &mut Vec<u8>, value: &str) {
    let start = out.len();
    json_escape_simd::escape_into(value, out);
    if separator(value.as_bytes()).is_some() {
        let written = out.split_off(start);
        escape_separators(out, &written);
    }
}

/// Whether a text needs no escape in JSON. Checks whole blocks, for which compilers use vector instructions.
pub(crate) fn is_plain(text: &str) -> bool {
    let special = |byte: &u8| u8::from(*byte < 0x20) | u8::from(*byte == b'"') | u8::from(*byte == b'\\');
    let is_special = |block: &[u8]| block.iter().fold(0, |found, byte| found | special(byte)) != 0;
    !text.as_bytes().chunks(64).any(is_special) && separator(text.as_bytes()).is_none()
}

/// Whether JSON has one of the three characters that are sent as escapes.
pub(super) fn has_separator(json: &str) -> bool {
    separator(json.as_bytes()).is_some()
}

/// The position of the first of the three characters, and its length in bytes.
fn separator(text: &[u8]) -> Option<(usize, usize)> {
    // Most text is ASCII, and this check is the cheapest.
    if text.is_ascii() {
        return None;
    }
    let mut at = 0;
    // The three characters begin with one of these two bytes, and hardly any Latin letter does.
    while let Some(found) = memchr2(0xE2, 0xC2, &text[at..]) {
        at += found;
        match text[at..] {
            [0xE2, 0x80, 0xA8 | 0xA9, ..] => return Some((at, 3)),
            [0xC2, 0x85, ..] => return Some((at, 2)),
            _ => at += 1,
        }
    }
    None
}

/// Appends JSON with the three characters as escapes. They occur in strings only, since JSON allows them nowhere else.
pub(super) fn escape_separators(out: &mut Vec<u8>, mut json: &[u8]) {
    while let Some((place, length)) = separator(json) {
        out.extend_from_slice(&json[..place]);
        out.extend_from_slice(match json[place + length - 1] {
            0xA8 => b"\\u2028",
            0xA9 => b"\\u2029",
            _ => b"\\u0085",
        });
        json = &json[place + length..];
    }
    out.extend_from_slice(json);
}

/// Encodes a value as JSON that may be sent.
///
/// # Errors
/// The error of the value's own `Serialize`, such as for a map whose keys are not strings.
pub(crate) fn to_json(value: &(impl Serialize + ?Sized)) -> serde_json::Result<Vec<u8>> {
    let mut out = Vec::new();
    write_json(&mut out, value)?;
    Ok(out)
}

/// Appends a value as JSON that may be sent.
///
/// # Errors
/// The error of the value's own `Serialize`.
pub(super) fn write_json(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) -> serde_json::Result<()> {
    value.serialize(&mut Serializer::with_formatter(out, Escaping(CompactFormatter)))
}

/// The format of `serde_json`, with the three characters as escapes.
struct Escaping(CompactFormatter);

impl Formatter for Escaping {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        if !has_separator(fragment) {
            return self.0.write_string_fragment(writer, fragment);
        }
        let mut escaped = Vec::with_capacity(fragment.len() + 8);
        escape_separators(&mut escaped, fragment.as_bytes());
        writer.write_all(&escaped)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn written(text: &str) -> Vec<u8> {
        let mut out = b"before".to_vec();
        write_string(&mut out, text);
        out.split_off(6)
    }

    /// The output of `serde_json`, with the three characters as escapes.
    fn expected(value: &Value) -> String {
        let escapes = [('\u{2028}', "\\u2028"), ('\u{2029}', "\\u2029"), ('\u{85}', "\\u0085")];
        escapes.into_iter().fold(value.to_string(), |text, (character, escape)| text.replace(character, escape))
    }

    proptest! {
        #[test]
        fn w2_12_what_is_written_is_what_serde_json_writes_but_for_line_separators(
            text in "[\\x00-\\x24\"\\\\/a-z\\x7f-\\u{120}\u{2000}-\u{2030}\u{2028}\u{2029}\u{85}\u{10ffff}]{0,200}",
        ) {
            let expected = expected(&Value::from(&*text));
            prop_assert_eq!(&written(&text), expected.as_bytes());
            prop_assert_eq!(is_plain(&text), expected.len() == text.len() + 2);
        }

        #[test]
        fn w2_12_values_are_written_alike(text in "[\"\\\\a\u{2028}\u{2029}\u{85}\u{e9}\u{201c}]{0,40}") {
            let value = json!({ &*text: [&*text, 1, { "a": &*text }] });
            prop_assert_eq!(to_json(&value).expect("a value is representable"), expected(&value).into_bytes());
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
