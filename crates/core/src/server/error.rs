//! The errors of a server before it serves: all problems of its definitions at once, each with its remedy.

use std::fmt;
use std::io;

use crate::define::DefinitionError;

/// Why a server could not be built or could not serve.
#[non_exhaustive]
pub enum Error {
    /// The definitions are invalid.
    Build(BuildError),
    /// The settings of a transport are invalid; the text states the remedy.
    Config(String),
    /// The operating system returned an error, as for an address that is in use.
    Io(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Build(error) => write!(f, "{error}"),
            Self::Config(error) => write!(f, "{error}"),
            Self::Io(error) => write!(f, "{error}"),
        }
    }
}

/// The same as `Display`: it is what `main` prints.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Build(error) => Some(error),
            Self::Config(_) => None,
            Self::Io(error) => Some(error),
        }
    }
}

impl From<BuildError> for Error {
    fn from(error: BuildError) -> Self {
        Self::Build(error)
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// All problems of a server's definitions.
///
/// ```
/// use grange_core::{Resource, Server};
/// let guide = Resource::builder().uri("docs://guide").text("# Guide").build();
/// let error = Server::builder("documentation", "1.0.0").resource(guide).build().unwrap_err();
/// assert!(error.to_string().contains("resource `docs://guide`: name is missing"));
/// ```
#[derive(PartialEq)]
pub struct BuildError {
    pub(super) errors: Vec<DefinitionError>,
}

impl BuildError {
    /// The problems, each with its subject.
    pub fn errors(&self) -> &[DefinitionError] {
        &self.errors
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.errors.len();
        write!(f, "the server has {count} {}:", if count == 1 { "error" } else { "errors" })?;
        for error in &self.errors {
            write!(f, "\n  {error}")?;
        }
        Ok(())
    }
}

/// The same as `Display`: it is what `main` and `unwrap` print.
impl fmt::Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for BuildError {}
