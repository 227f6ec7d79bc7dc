//! Patterns of paths: the files that `include` adds to a skill.
//!
//! A pattern is a path inside the skill. `*` matches any characters of a segment, a leading dot included; `**`, as a
//! whole segment, matches any number of segments. There is no other syntax: a pattern without `*` matches one path.

use std::error::Error;
use std::fmt;

use crate::excerpt::Excerpt;
use crate::path::{PathError, check_file_path};

/// A pattern of paths inside a skill.
///
/// ```
/// use grange_skill_format::Pattern;
///
/// let relations: Pattern = "**/.rels".parse()?;
/// assert!(relations.matches("_rels/.rels") && relations.matches("templates/_rels/.rels"));
/// assert!(!relations.matches("_rels/.rels.md"));
/// let examples: Pattern = "assets/.*.example".parse()?;
/// assert!(examples.matches("assets/.env.example") && !examples.matches("assets/more/.env.example"));
/// # Ok::<(), grange_skill_format::PatternError>(())
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Pattern {
    text: String,
}

const ANY: &str = "**";

impl Pattern {
    /// The pattern as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether the pattern matches the file with this path.
    pub fn matches(&self, path: &str) -> bool {
        let (pattern, path): (Vec<&str>, Vec<&str>) = (self.segments().collect(), path.split('/').collect());
        fits(&pattern, &path, |segment| *segment == ANY, |segment, found| segment_matches(segment, found))
    }

    /// Whether the pattern can match a file inside this folder.
    pub fn reaches(&self, folder: &str) -> bool {
        let mut pattern = self.segments();
        for found in folder.split('/') {
            match pattern.next() {
                None => return false,
                Some(ANY) => return true,
                Some(segment) if !segment_matches(segment, found) => return false,
                Some(_) => {}
            }
        }
        pattern.next().is_some()
    }

    fn segments(&self) -> impl Iterator<Item = &str> {
        self.text.split('/')
    }
}

fn segment_matches(pattern: &str, found: &str) -> bool {
    fits(pattern.as_bytes(), found.as_bytes(), |byte| *byte == b'*', |byte, found| byte == found)
}

/// Whether a row of items matches a pattern, in which a star matches any number of items. The last star matches as few
/// as possible and then more. Earlier stars need no other attempt, because the part after them already has its first
/// possible position.
fn fits<P, T>(pattern: &[P], row: &[T], is_star: impl Fn(&P) -> bool, same: impl Fn(&P, &T) -> bool) -> bool {
    let (mut at, mut next) = (0, 0);
    let mut star = None;
    while next < row.len() {
        match pattern.get(at) {
            Some(one) if is_star(one) => {
                star = Some((at, next));
                at += 1;
            }
            Some(one) if same(one, &row[next]) => (at, next) = (at + 1, next + 1),
            _ => match &mut star {
                None => return false,
                Some((place, taken)) => {
                    *taken += 1;
                    (at, next) = (*place + 1, *taken);
                }
            },
        }
    }
    pattern[at..].iter().all(is_star)
}

impl std::str::FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let trimmed = text.trim_end_matches('/');
        if trimmed.len() < text.len() && !trimmed.is_empty() {
            return Err(PatternError::Folder { suggestion: format!("{trimmed}/**") });
        }
        if let Some(segment) = text.split('/').find(|segment| segment.contains(ANY) && *segment != ANY) {
            return Err(PatternError::Stars { segment: segment.to_owned() });
        }
        match text.chars().find(|found| "?[]{}".contains(*found)) {
            Some(found) => return Err(PatternError::Sign { found }),
            None => check_file_path(text).map_err(PatternError::Path)?,
        }
        Ok(Self { text: text.to_owned() })
    }
}

/// Why a pattern is invalid. The text of `Display` follows the pattern: "include `a/` " + error.
///
/// ```
/// use grange_skill_format::{Pattern, PatternError};
///
/// let error = "assets/".parse::<Pattern>().unwrap_err();
/// assert_eq!(error, PatternError::Folder { suggestion: "assets/**".to_owned() });
/// assert_eq!(error.to_string(), "ends with `/`: write `assets/**` for all in it");
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum PatternError {
    /// The pattern ends with a slash.
    Folder {
        /// A pattern that matches all files in the folder.
        suggestion: String,
    },
    /// The pattern cannot match a valid path.
    Path(PathError),
    /// The pattern has a special character of other pattern languages.
    Sign {
        /// The character.
        found: char,
    },
    /// A segment has `**` and other characters.
    Stars {
        /// The segment.
        segment: String,
    },
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder { suggestion } => write!(f, "ends with `/`: write `{}` for all in it", Excerpt(suggestion)),
            Self::Path(error) => error.fmt(f),
            Self::Sign { found } => {
                write!(f, "has {found:?}: patterns have only `*` for characters and `**` for segments")
            }
            Self::Stars { segment } => {
                let segment = Excerpt(segment);
                write!(f, "has `**` inside the segment `{segment}`: write `*`, or `**` as a segment of its own")
            }
        }
    }
}

impl Error for PatternError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Path(error) => Some(error),
            _ => None,
        }
    }
}
