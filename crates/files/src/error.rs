//! Why a directory cannot be served.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;

use grange_core::ShelfError;

/// A directory that cannot be served; its `Display` names the path and gives the remedy.
///
/// ```
/// use grange_files::Directory;
/// let error = Directory::open("no/such/folder", "docs://manual/").unwrap_err();
/// assert!(error.to_string().starts_with("directory `no/such/folder` cannot be read: "));
/// ```
pub struct DirectoryError(pub(crate) Problem);

pub(crate) enum Problem {
    Unreadable { path: PathBuf, error: io::Error },
    Prefix { prefix: String, error: ShelfError },
    Thread(io::Error),
}

impl fmt::Display for DirectoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Problem::Unreadable { path, error } => write!(f, "directory `{}` cannot be read: {error}", path.display()),
            Problem::Prefix { prefix, error } => {
                let problems: Vec<_> = error.errors().iter().map(ToString::to_string).collect();
                write!(f, "prefix `{prefix}` makes no URIs, write it as in `docs://manual/`: {}", problems.join("; "))
            }
            Problem::Thread(error) => write!(f, "the thread that follows a directory cannot start: {error}"),
        }
    }
}

/// The same as `Display`: it is what `main` and `unwrap` print.
impl fmt::Debug for DirectoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// For `?` in a `main` that serves.
impl From<DirectoryError> for grange_core::Error {
    fn from(error: DirectoryError) -> Self {
        let text = error.to_string();
        match error.0 {
            Problem::Prefix { .. } => Self::Config(text),
            Problem::Unreadable { error, .. } | Problem::Thread(error) => Self::Io(io::Error::new(error.kind(), text)),
        }
    }
}

impl Error for DirectoryError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.0 {
            Problem::Unreadable { error, .. } | Problem::Thread(error) => Some(error),
            Problem::Prefix { error, .. } => Some(error),
        }
    }
}
