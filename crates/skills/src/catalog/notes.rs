//! Collects errors and warnings during the checks.

use std::fmt::Display;

use grange_core::DefinitionError;

/// The errors and warnings so far.
#[derive(Default)]
pub(super) struct Notes {
    pub(super) errors: Vec<DefinitionError>,
    pub(super) warnings: Vec<String>,
}

impl Notes {
    pub(super) fn error(&mut self, path: &str, problem: impl Into<String>) {
        self.errors.push(DefinitionError::new(format!("skill `{path}`"), problem));
    }

    pub(super) fn warning(&mut self, path: &str, problem: impl Display) {
        self.warnings.push(format!("skill `{path}`: {problem}"));
    }
}
