//! Checks that the files of a skill do not collide on any disk.
//!
//! Two names that differ only in case are the same file on many disks, so they are an error. Two names cannot differ
//! only in their Unicode normalization, because a file path is ASCII ([`super::check_file_path`]). This check does not
//! require a SKILL.md.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;

use crate::excerpt::Excerpt;

/// Checks the paths of a skill's files for collisions, and returns all of them in the order of the paths.
///
/// Use [`check_file_path`](super::check_file_path) to check each path alone.
///
/// ```
/// use grange_skill_format::check_file_set;
///
/// assert!(check_file_set(["SKILL.md", "notes/a.md", "notes/b.md"]).is_ok());
/// let errors = check_file_set(["SKILL.md", "notes/a.md", "notes/A.md", "SKILL.md/x"]).unwrap_err();
/// assert_eq!(
///     errors[0].to_string(),
///     "files `notes/a.md` and `notes/A.md` differ only in case, and are one file on many disks: rename one",
/// );
/// assert_eq!(errors.len(), 2);
/// ```
pub fn check_file_set<'a>(paths: impl IntoIterator<Item = &'a str>) -> Result<(), Vec<FileSetError>> {
    let mut files = BTreeMap::new();
    let mut errors = Vec::new();
    let paths: Vec<&str> = paths.into_iter().collect();
    for &path in &paths {
        match files.insert(path.to_lowercase(), path) {
            None => {}
            Some(first) if first == path => errors.push(FileSetError::Twice { path: path.to_owned() }),
            Some(first) => errors.push(FileSetError::Case { first: first.to_owned(), second: path.to_owned() }),
        }
    }
    for &path in &paths {
        errors.extend(
            file_above(path, &files)
                .map(|file| FileSetError::Folder { file: file.to_owned(), inside: path.to_owned() }),
        );
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// The first file that would have to be a folder for this path.
fn file_above<'a>(path: &str, files: &BTreeMap<String, &'a str>) -> Option<&'a str> {
    let path = path.to_lowercase();
    path.match_indices('/').find_map(|(end, _)| files.get(&path[..end]).copied())
}

/// Why two files cannot be in the same skill.
///
/// ```
/// use grange_skill_format::{FileSetError, check_file_set};
///
/// let error = FileSetError::Twice { path: "a.md".to_owned() };
/// assert_eq!(check_file_set(["a.md", "a.md"]), Err(vec![error]));
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum FileSetError {
    /// Two paths differ only in case.
    Case {
        /// The first path.
        first: String,
        /// The second path.
        second: String,
    },
    /// A file has the same path as a folder.
    Folder {
        /// The file.
        file: String,
        /// A file inside the folder.
        inside: String,
    },
    /// A path occurs twice.
    Twice {
        /// The path.
        path: String,
    },
}

impl fmt::Display for FileSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Case { first, second } => {
                let (first, second) = (Excerpt(first), Excerpt(second));
                write!(
                    f,
                    "files `{first}` and `{second}` differ only in case, and are one file on many disks: rename one"
                )
            }
            Self::Folder { file, inside } => {
                let (file, inside) = (Excerpt(file), Excerpt(inside));
                write!(f, "file `{file}` is a folder for `{inside}`: rename one of the two")
            }
            Self::Twice { path } => write!(f, "file `{}` is there twice: leave one out", Excerpt(path)),
        }
    }
}

impl Error for FileSetError {}
