//! The mistakes in a configuration, reported before anything is served. The problems of a request are in `token_error.rs`.

use std::error::Error;
use std::fmt;

/// All mistakes in a configuration, each with its remedy.
///
/// ```
/// use grange_auth::Jwt;
///
/// let error = Jwt::new("http://issuer.example.com", "https://mcp.example.com/mcp#top").build().unwrap_err();
/// assert_eq!(error.problems().len(), 2);
/// assert_eq!(
///     error.problems()[0],
///     "issuer `http://issuer.example.com` is not `https`: tokens and keys go over TLS, except on this machine itself",
/// );
/// ```
#[derive(Clone, Eq, PartialEq)]
pub struct ConfigError {
    problems: Vec<String>,
}

impl ConfigError {
    /// The problems, in the order of the settings.
    pub fn problems(&self) -> &[String] {
        &self.problems
    }

    pub(crate) fn new(problems: Vec<String>) -> Self {
        Self { problems }
    }
}

/// The same as `Display`: it is what `main` prints.
impl fmt::Debug for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("authentication is not configured right: ")?;
        f.write_str(&self.problems.join("; "))
    }
}

impl Error for ConfigError {}

/// So that a `main` that serves, and returns [`grange_core::Error`], needs no error of its own.
impl From<ConfigError> for grange_core::Error {
    fn from(error: ConfigError) -> Self {
        Self::Config(error.to_string())
    }
}
