//! Names of tools (2026-07-28 server/tools, "Tool Names").

use std::error::Error;
use std::fmt;

/// The maximum length of a name, in characters.
const LONGEST: usize = 128;

/// Why a tool's name is invalid.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum ToolNameError {
    /// The name is empty.
    Empty,
    /// The name is too long: its length in characters.
    TooLong(usize),
    /// The name has a character that is not allowed: the first one.
    Character(char),
}

impl fmt::Display for ToolNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("is empty: give the tool one, such as `read_file`"),
            Self::TooLong(length) => write!(f, "has {length} characters: {LONGEST} are allowed"),
            Self::Character(found) => {
                write!(f, "has {found:?}: use only ASCII letters, digits, `_`, `-` and `.`, as in `read_file`")
            }
        }
    }
}

impl Error for ToolNameError {}

/// Checks the name of a tool: 1 to 128 of ASCII letters, digits, `_`, `-` and `.`.
///
/// ```
/// use grange_uri::check_tool_name;
/// assert!(check_tool_name("files.read-text_2").is_ok());
/// let error = check_tool_name("read file").unwrap_err();
/// assert_eq!(error.to_string(), "has ' ': use only ASCII letters, digits, `_`, `-` and `.`, as in `read_file`");
/// ```
///
/// # Errors
/// The first problem.
pub fn check_tool_name(name: &str) -> Result<(), ToolNameError> {
    let is_allowed = |found: &char| found.is_ascii_alphanumeric() || "_-.".contains(*found);
    let length = name.chars().count();
    match name.chars().find(|found| !is_allowed(found)) {
        _ if length == 0 => Err(ToolNameError::Empty),
        Some(found) => Err(ToolNameError::Character(found)),
        None if length > LONGEST => Err(ToolNameError::TooLong(length)),
        None => Ok(()),
    }
}
