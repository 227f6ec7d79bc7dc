//! RFC 3986 syntax: the parser judges, this file explains.
//!
//! **Whether a string is a URI is decided by the parser alone.** Only when it refuses does [`diagnose`] look for
//! the cause that helps the author most; so a good URI costs one pass, and a gap in the diagnosis can make a
//! message vaguer but never accept or refuse anything.

use iri_string::types::UriStr;

use super::error::UriError;

/// A URI under check, and the way to look for a better spelling of it should one be needed.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    uri: &'a str,
    respell: fn(&str) -> Option<String>,
}

impl<'a> Subject<'a> {
    pub(super) fn new(uri: &'a str, respell: fn(&str) -> Option<String>) -> Self {
        Self { uri, respell }
    }

    /// A subject without suggestions: for checking a suggestion.
    pub(super) fn silent(uri: &'a str) -> Self {
        Self { uri, respell: |_| None }
    }

    pub(super) fn suggestion(self) -> Option<String> {
        (self.respell)(self.uri)
    }
}

/// The parsed URI, or why it is none.
pub(super) fn parse(subject: Subject<'_>) -> Result<&UriStr, UriError> {
    UriStr::new(subject.uri).map_err(|_| diagnose(subject))
}

/// True for the characters after which a scheme can no longer end.
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

/// Why a string that the parser refused is no URI. What was probably meant comes first: a template and a missing
/// scheme explain more than a stray character inside them.
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

/// A pair of braces is taken for a template expression; a lone brace is only a bad character.
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

/// The first character that no part of a URI may hold.
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

/// What stands between `scheme://` and the path.
fn authority(uri: &str) -> Option<&str> {
    let (_, rest) = uri.split_once(':')?;
    let rest = rest.strip_prefix("//")?;
    rest.split(['/', '?', '#']).next()
}
