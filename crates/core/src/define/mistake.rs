//! One mistake of an author's, found before anything is served.

use std::fmt;

/// One mistake: which definition, and what is wrong with it.
#[derive(Clone, Debug, PartialEq)]
pub struct DefinitionError {
    subject: String,
    problem: String,
}

impl DefinitionError {
    /// What it is about, as in ``resource `docs://guide` ``, and what is wrong and what to do.
    pub fn new(subject: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { subject: subject.into(), problem: problem.into() }
    }

    /// What it is about: the server, or a resource by its URI.
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// What is wrong and what to do.
    pub fn problem(&self) -> &str {
        &self.problem
    }
}

impl fmt::Display for DefinitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.subject, self.problem)
    }
}
