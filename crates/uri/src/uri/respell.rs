//! Finds a corrected spelling to suggest.
//!
//! The correction is a guess, so **it is suggested only if it passes the check that failed**. The guesses: white space
//! at the ends is a mistake; `_` in a scheme was `-`; a drive letter was a file; `\` was `/`; any other invalid
//! character is meant literally and is escaped.

use iri_string::types::UriStr;

use super::spelling::{self, Pieces, Special};
use super::syntax::{self, Subject, escape_length};

/// A corrected spelling that passes the check for content items.
pub(super) fn absolute(uri: &str) -> Option<String> {
    let candidate = encoded(uri)?;
    syntax::parse(Subject::silent(&candidate)).ok()?;
    Some(candidate)
}

/// A corrected spelling that passes the check for declared resources.
pub(super) fn resource(uri: &str) -> Option<String> {
    let encoded = with_slashes(encoded(uri)?);
    let candidate = Pieces::of(UriStr::new(&encoded).ok()?).canonical()?;
    let subject = Subject::silent(&candidate);
    spelling::check(subject, syntax::parse(subject).ok()?).ok()?;
    Some(candidate)
}

/// The URI with all characters escaped that RFC 3986 does not allow in their place.
fn encoded(uri: &str) -> Option<String> {
    let uri = uri.trim();
    let (scheme, rest) = uri.split_once(':')?;
    let mut encoded = match rest.as_bytes() {
        [b'/' | b'\\', next, ..] if is_drive(scheme) && !matches!(next, b'/' | b'\\') => {
            format!("file:///{scheme}:")
        }
        _ => format!("{}:", scheme.replace('_', "-")),
    };
    let (hierarchy, tail) = rest.split_at(rest.find(['?', '#']).unwrap_or(rest.len()));
    let hierarchy = hierarchy.replace('\\', "/");
    let authority = match hierarchy.strip_prefix("//") {
        Some(behind) => 2 + behind.find('/').unwrap_or(behind.len()),
        None => 0,
    };
    let (authority, path) = hierarchy.split_at(authority);
    encode(&mut encoded, authority, b"/:@[]");
    encode(&mut encoded, path, b"/:@");
    let (query, fragment) = tail.split_at(tail.find('#').unwrap_or(tail.len()));
    encode(&mut encoded, query, b"/:@?");
    if let Some(fragment) = fragment.strip_prefix('#') {
        encoded.push('#');
        encode(&mut encoded, fragment, b"/:@?");
    }
    Some(encoded)
}

fn is_drive(scheme: &str) -> bool {
    matches!(scheme.as_bytes(), [letter] if letter.is_ascii_alphabetic())
}

/// Appends `text` with invalid characters escaped. Valid escapes, the characters that every part allows, and those in
/// `also` stay.
fn encode(encoded: &mut String, text: &str, also: &[u8]) {
    const HEX: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'];
    for (position, byte) in text.bytes().enumerate() {
        let keep = byte.is_ascii_alphanumeric()
            || b"-._~!$&'()*+,;=".contains(&byte)
            || also.contains(&byte)
            || escape_length(&text.as_bytes()[position..]).is_some();
        if keep {
            encoded.push(char::from(byte));
        } else {
            encoded.extend(['%', HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
        }
    }
}

/// `http:x` and `file:/x` with the slashes that libraries add.
fn with_slashes(uri: String) -> String {
    let Some((scheme, rest)) = uri.split_once(':') else { return uri };
    let slashes = match Special::of(&scheme.to_ascii_lowercase()) {
        Some(Special::File) => "///",
        Some(Special::Web { .. }) => "//",
        None => return uri,
    };
    if rest.starts_with("//") {
        return uri;
    }
    format!("{scheme}:{slashes}{}", rest.trim_start_matches('/'))
}
