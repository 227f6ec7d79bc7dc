//! One segment of a URI from any text.

use std::error::Error;
use std::fmt;

use super::percent::encode;
use super::variable::{ValueError, check_segment};

/// The text as one segment of a URI: unreserved characters of RFC 3986 stay as they are, and all others are percent-encoded.
///
/// A template's `{v}` matches the segment, and decodes it to the same text. For a URI of a template, [`Template::expand`] also checks the
/// other values and the text between them.
///
/// ```
/// use grange_uri::encode_segment;
///
/// assert_eq!(encode_segment("caf\u{e9} & more.md").as_deref(), Ok("caf%C3%A9%20%26%20more.md"));
/// let error = encode_segment("a/b").unwrap_err();
/// assert_eq!(error.to_string(), "the segment `a/b` has a '/': encode each segment on its own");
/// ```
///
/// # Errors
/// No template matches the text, however it is written: it is empty, `.` or `..`, or has a `/`, a `\` or a control character.
///
/// [`Template::expand`]: crate::Template::expand
pub fn encode_segment(text: &str) -> Result<String, SegmentError> {
    check_segment(text).map_err(|problem| SegmentError { text: text.to_owned(), problem })?;
    let mut segment = String::with_capacity(text.len());
    encode(&mut segment, text);
    Ok(segment)
}

/// A text that cannot be one segment of a URI; its `Display` gives the remedy.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SegmentError {
    text: String,
    problem: ValueError,
}

impl fmt::Display for SegmentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.text.escape_debug();
        match self.problem {
            ValueError::Empty => f.write_str("the segment is empty: give at least one character"),
            ValueError::DotSegment => write!(f, "the segment `{text}` leads to another path: give that path"),
            ValueError::Character('/') => write!(f, "the segment `{text}` has a '/': encode each segment on its own"),
            ValueError::Character(found) => write!(f, "the segment `{text}` has a {found:?}: leave it out"),
        }
    }
}

impl Error for SegmentError {}
