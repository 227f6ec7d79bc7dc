//! Collects errors and warnings during the checks.

use std::fmt::Display;

use grange_core::DefinitionError;

/// The errors and warnings so far.
#[derive(Default)]
pub(super) struct Notes {
    pub(super) mistakes: Vec<DefinitionError>,
    pub(super) warnings: Vec<String>,
}

impl Notes {
    pub(super) fn mistake(&mut self, path: &str, problem: impl Into<String>) {
        self.mistakes.push(DefinitionError::new(format!("skill `{path}`"), problem));
    }

    pub(super) fn warning(&mut self, path: &str, problem: impl Display) {
        self.warnings.push(format!("skill `{path}`: {problem}"));
    }
}
