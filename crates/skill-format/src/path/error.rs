//! The errors of the path checks and their texts.

use std::error::Error;
use std::fmt;

use crate::excerpt::Excerpt;
use crate::name::NameError;

/// Why a path is invalid. The text of `Display` follows the path: "file path `a b.md` " + error.
///
/// ```
/// use grange_skill_format::{PathError, check_file_path};
///
/// assert_eq!(check_file_path("notes/../a.md"), Err(PathError::DotSegment { segment: "..".to_owned() }));
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum PathError {
    /// The path has a `\`.
    Backslash {
        /// The path with `/` instead.
        suggestion: String,
    },
    /// The path has a character that a URI must escape.
    Character {
        /// The first such character.
        found: char,
    },
    /// The path has a segment `.` or `..`.
    DotSegment {
        /// The segment.
        segment: String,
    },
    /// The path is empty.
    Empty,
    /// The path begins or ends with `/`, or has two in a row.
    EmptySegment {
        /// The path without the empty segments.
        suggestion: String,
    },
    /// The path has a `%`, which a host may decode.
    Escape,
    /// The first segment, which is the authority of the URI, has a character with another meaning there.
    InAuthority {
        /// The character.
        found: char,
    },
    /// The last segment is not a valid name of a skill.
    Name(NameError),
    /// The last segment is not the skill's name.
    OtherName {
        /// The last segment.
        segment: String,
        /// The name in the frontmatter.
        name: String,
        /// The path with that name.
        suggestion: String,
    },
    /// A segment begins or ends with white space.
    OuterSpace {
        /// The segment.
        segment: String,
    },
    /// The path has a `?` or `#`, which ends the path of a URI.
    Tail {
        /// The character.
        found: char,
    },
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const RENAME: &str = "rename it, with letters, digits, `-`, `_` and `.`";
        match self {
            Self::Backslash { suggestion } => write!(f, "has a backslash: write `{}`", Excerpt(suggestion)),
            Self::Character { found: ' ' } => write!(f, "has a space, which a URI must escape: {RENAME}"),
            Self::Character { found } => write!(f, "has {found:?}, which a URI must escape: {RENAME}"),
            Self::DotSegment { segment } => {
                write!(f, "has the segment `{segment}`, which clients resolve: write the path that it leads to")
            }
            Self::Empty => f.write_str("is empty: write one, as in `notes/order.md`"),
            Self::EmptySegment { suggestion } if suggestion.is_empty() => {
                f.write_str("has only empty segments: write one, as in `notes/order.md`")
            }
            Self::EmptySegment { suggestion } => write!(f, "has an empty segment: write `{}`", Excerpt(suggestion)),
            Self::Escape => write!(f, "has a `%`, which a host may take for an escape and decode: {RENAME}"),
            Self::InAuthority { found } if found.is_ascii_uppercase() => {
                write!(
                    f,
                    "has {found:?} in its first segment, which clients lower-case as a host: write it in lower case"
                )
            }
            Self::InAuthority { found } => {
                write!(f, "has {found:?} in its first segment, which hosts read as a user or port: leave it out")
            }
            Self::Name(error) => write!(f, "must end in the skill's name, but the last segment {error}"),
            Self::OtherName { segment, name, suggestion } => {
                let (segment, name, suggestion) = (Excerpt(segment), Excerpt(name), Excerpt(suggestion));
                write!(
                    f,
                    "ends in `{segment}`, but the skill's name is `{name}`: write `{suggestion}`, or change the name"
                )
            }
            Self::OuterSpace { segment } => {
                write!(f, "has white space around the segment `{}`: write it without", Excerpt(segment))
            }
            Self::Tail { found } => write!(f, "has {found:?}, behind which a URI has no path: {RENAME}"),
        }
    }
}

impl Error for PathError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Name(error) => Some(error),
            _ => None,
        }
    }
}
