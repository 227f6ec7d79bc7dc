//! Percent escapes: values to URI text and back.

use super::steps;

/// Decodes each escape exactly once. `None` if the result is not UTF-8, or an escape is incomplete.
pub(super) fn decode(text: &str) -> Option<String> {
    steps::visit(text.len());
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        if byte == b'%' {
            let (&[high, low], behind) = rest.split_first_chunk()?;
            decoded.push(nibble(high)? << 4 | nibble(low)?);
            rest = behind;
        } else {
            decoded.push(byte);
        }
    }
    String::from_utf8(decoded).ok()
}

fn nibble(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

/// Whether the end of `text` is inside an escape.
pub(super) fn cuts_escape(text: &str) -> bool {
    text.bytes().rev().take(2).any(|byte| byte == b'%')
}

/// Appends `text` with everything escaped but the unreserved characters of RFC 3986.
pub(super) fn encode(encoded: &mut String, text: &str) {
    const HEX: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'];
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.extend(['%', HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
        }
    }
}
