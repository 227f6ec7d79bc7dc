//! RFC 3986 syntax.
//!
//! **Only the parser decides whether a string is a URI.** [`diagnose`] runs only after it fails, and finds the cause
//! that helps the author most. So a valid URI costs one pass, and a gap in the diagnosis can make an error text less
//! precise but never changes the verdict.

use iri_string::types::UriStr;

use super::error::UriError;

/// The URI to check, and the function that finds a corrected spelling of it.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    uri: &'a str,
    respell: fn(&str) -> Option<String>,
}

impl<'a> Subject<'a> {
    pub(super) fn new(uri: &'a str, respell: fn(&str) -> Option<String>) -> Self {
        Self { uri, respell }
    }

    /// A subject without suggestions, to check a suggestion itself.
    pub(super) fn silent(uri: &'a str) -> Self {
        Self { uri, respell: |_| None }
    }

    pub(super) fn suggestion(self) -> Option<String> {
        (self.respell)(self.uri)
    }
}

/// The parsed URI, or the cause of the syntax error.
pub(super) fn parse(subject: Subject<'_>) -> Result<&UriStr, UriError> {
    UriStr::new(subject.uri).map_err(|_| diagnose(subject))
}

/// True for the characters that end the search for a scheme.
pub(super) fn ends_scheme(character: char) -> bool {
    matches!(character, ':' | '/' | '?' | '#' | '\\')
}

/// The length of the valid percent escape at the start of `text`, if there is one.
pub(super) fn escape_length(text: &[u8]) -> Option<usize> {
    match text {
        [b'%', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => Some(3),
        _ => None,
    }
}

/// The cause of a syntax error. The likely intention comes first: a template or a missing scheme explains more than an
/// invalid character inside it.
fn diagnose(subject: Subject<'_>) -> UriError {
    let uri = subject.uri;
    if uri.trim().is_empty() {
        return UriError::Empty;
    }
    expression(uri)
        .or_else(|| bad_scheme(subject))
        .or_else(|| bad_character(subject))
        .or_else(|| misplaced_character(subject))
        .unwrap_or_else(|| UriError::Authority { authority: authority(uri).unwrap_or(uri).to_owned() })
}

/// A pair of braces counts as a template expression, a single brace only as an invalid character.
fn expression(uri: &str) -> Option<UriError> {
    let (_, rest) = uri.split_once('{')?;
    let (name, _) = rest.split_once('}')?;
    Some(UriError::Template { expression: format!("{{{name}}}") })
}

fn bad_scheme(subject: Subject<'_>) -> Option<UriError> {
    let uri = subject.uri.trim_start();
    let (scheme, rest) = uri.split_at(uri.find(ends_scheme).unwrap_or(uri.len()));
    if scheme.is_empty() || !rest.starts_with(':') {
        let path = subject.uri.trim().trim_start_matches([':', '/', '\\', '.']);
        let example = (subject.respell)(&format!("docs://{path}"));
        return Some(UriError::Relative { example: example.unwrap_or_else(|| "docs://readme".to_owned()) });
    }
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    if scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(fits) {
        return None;
    }
    Some(UriError::Scheme { scheme: scheme.to_owned(), suggestion: subject.suggestion() })
}

/// The first character that is not allowed in any part of a URI.
fn bad_character(subject: Subject<'_>) -> Option<UriError> {
    let (position, character) = subject.uri.char_indices().find(|&(position, character)| match character {
        '%' => escape_length(&subject.uri.as_bytes()[position..]).is_none(),
        ' ' | '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}' => true,
        other => !other.is_ascii() || other.is_ascii_control(),
    })?;
    let suggestion = subject.suggestion();
    Some(match character {
        '%' => UriError::Escape { escape: subject.uri[position..].chars().take(3).collect(), suggestion },
        '\\' => UriError::Backslash { suggestion },
        ' ' => UriError::Space { suggestion },
        other if !other.is_ascii() => UriError::NotAscii { suggestion },
        other if other.is_ascii_control() => UriError::Control { character, suggestion },
        _ => UriError::Character { character, suggestion },
    })
}

/// A bracket outside the authority, or a second `#`.
fn misplaced_character(subject: Subject<'_>) -> Option<UriError> {
    let (_, rest) = subject.uri.split_once(':')?;
    let behind = match authority(subject.uri) {
        Some(authority) => rest.get(authority.len() + 2..)?,
        None => rest,
    };
    let mut hashes = 0;
    let character = behind.chars().find(|&character| {
        hashes += usize::from(character == '#');
        matches!(character, '[' | ']') || hashes > 1
    })?;
    Some(UriError::Character { character, suggestion: subject.suggestion() })
}

/// The text between `scheme://` and the path.
fn authority(uri: &str) -> Option<&str> {
    let (_, rest) = uri.split_once(':')?;
    let rest = rest.strip_prefix("//")?;
    rest.split(['/', '?', '#']).next()
}
