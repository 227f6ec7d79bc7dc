//! Paths of skills and their files.
//!
//! A skill is at `skill://<skill path>/SKILL.md`, a file of it at `skill://<skill path>/<file path>`. **A path is
//! served as written**, because a client reads exactly the URI that was listed. So characters that a URI must escape or
//! that a host would change are errors. A valid path gives a URI that `grange_uri::check_resource` accepts. This module
//! does not access files.

mod error;
mod segment;
mod set;

pub use error::PathError;
pub use set::{FileSetError, check_file_set};

use crate::name::check_skill_name;
use segment::{check_authority, check_segments};

/// Checks the path of a skill, as in `acme/billing/refunds`: its last segment is the skill's name.
///
/// ```
/// use grange_skill_format::check_skill_path;
///
/// assert!(check_skill_path("refunds").is_ok());
/// assert!(check_skill_path("acme/billing/refunds").is_ok());
/// assert_eq!(
///     check_skill_path("acme//refunds").unwrap_err().to_string(),
///     "has an empty segment: write `acme/refunds`",
/// );
/// ```
pub fn check_skill_path(path: &str) -> Result<(), PathError> {
    check_segments(path)?;
    check_authority(path)?;
    check_skill_name(skill_name(path)).map_err(PathError::Name)
}

/// Checks the path of a file inside its skill, as in `references/steps.md`.
///
/// ```
/// use grange_skill_format::check_file_path;
///
/// assert!(check_file_path("references/steps.md").is_ok());
/// assert_eq!(
///     check_file_path("read me.md").unwrap_err().to_string(),
///     "has a space, which a URI must escape: rename it, with letters, digits, `-`, `_` and `.`",
/// );
/// ```
pub fn check_file_path(path: &str) -> Result<(), PathError> {
    check_segments(path)
}

/// The name that a skill at this path must have: its last segment.
///
/// ```
/// assert_eq!(grange_skill_format::skill_name("acme/billing/refunds"), "refunds");
/// ```
pub fn skill_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
