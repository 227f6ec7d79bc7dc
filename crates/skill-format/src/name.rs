//! Names of skills, by the rules of Agent Skills.

use std::error::Error;
use std::fmt;

use crate::excerpt::Excerpt;

/// The maximum length of a name.
const MOST: usize = 64;

/// Checks the name of a skill: 1 to 64 of `a` to `z`, `0` to `9` and single `-` between them.
///
/// ```
/// use grange_skill_format::check_skill_name;
///
/// assert!(check_skill_name("ledger-close").is_ok());
/// assert_eq!(
///     check_skill_name("Ledger").unwrap_err().to_string(),
///     "has 'L': use only `a` to `z`, `0` to `9` and `-`, as in `ledger-close`",
/// );
/// ```
pub fn check_skill_name(name: &str) -> Result<(), NameError> {
    let is_allowed = |found: &char| found.is_ascii_lowercase() || found.is_ascii_digit() || *found == '-';
    let length = name.chars().count();
    if length == 0 {
        return Err(NameError::Empty);
    }
    if let Some(found) = name.chars().find(|found| !is_allowed(found)) {
        return Err(NameError::Character { found });
    }
    if length > MOST {
        return Err(NameError::Length { found: length });
    }
    if name.starts_with('-') || name.ends_with('-') || name.contains("--") {
        return Err(NameError::Hyphen { name: name.to_owned() });
    }
    Ok(())
}

/// Why a name is invalid. The text of `Display` follows the name: "the name `x` " + error.
///
/// ```
/// use grange_skill_format::{NameError, check_skill_name};
///
/// assert_eq!(check_skill_name(""), Err(NameError::Empty));
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum NameError {
    /// The name has a character that is not allowed.
    Character {
        /// The first such character.
        found: char,
    },
    /// The name is empty.
    Empty,
    /// The name begins or ends with a hyphen, or has two in a row.
    Hyphen {
        /// The name.
        name: String,
    },
    /// The name is too long.
    Length {
        /// Its number of characters.
        found: usize,
    },
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Character { found } => {
                write!(f, "has {found:?}: use only `a` to `z`, `0` to `9` and `-`, as in `ledger-close`")
            }
            Self::Empty => f.write_str("is empty: write one, as in `ledger-close`"),
            Self::Hyphen { name } => {
                let parts: Vec<&str> = name.split('-').filter(|part| !part.is_empty()).collect();
                let better = if parts.is_empty() { "ledger-close".to_owned() } else { parts.join("-") };
                write!(f, "has a hyphen at an end or two together: write `{}`", Excerpt(&better))
            }
            Self::Length { found } => write!(f, "has {found} characters: {MOST} are allowed, shorten it"),
        }
    }
}

impl Error for NameError {}
