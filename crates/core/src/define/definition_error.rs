//! An error in a definition, found before anything is served.

use std::fmt;

/// One error in a definition: its subject, and the problem.
///
/// ```
/// use grange_core::DefinitionError;
/// let error = DefinitionError::new("tool `sum`", "description is missing: add it with `.description(…)`");
/// assert_eq!(error.to_string(), "tool `sum`: description is missing: add it with `.description(…)`");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DefinitionError {
    subject: String,
    problem: String,
}

impl DefinitionError {
    /// An error of a subject, as ``resource `docs://guide` ``, with the problem and its remedy.
    pub fn new(subject: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { subject: subject.into(), problem: problem.into() }
    }

    /// The subject: the server, or a definition by its key.
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// The problem and its remedy.
    pub fn problem(&self) -> &str {
        &self.problem
    }
}

impl fmt::Display for DefinitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.subject, self.problem)
    }
}
