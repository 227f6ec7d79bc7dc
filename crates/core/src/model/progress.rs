//! Progress: how far work has come, said before its answer.

use super::Text;

/// How far a request has come (2026-07-28 basic/utilities/progress).
///
/// ```
/// use grange_core::Progress;
/// let third = Progress::new(1.0).total(3.0).message("read the first file");
/// assert_eq!(Progress::from((1.0, 3.0)).total, third.total);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// How far: a number that only grows.
    pub progress: f64,
    /// How far it will be at the end, if that is known.
    pub total: Option<f64>,
    /// What is going on, for people. Sent from 2025-03-26 on.
    pub message: Option<Text>,
}

impl Progress {
    /// So far, of an unknown total.
    pub fn new(progress: f64) -> Self {
        Self { progress, total: None, message: None }
    }

    /// How far it will be at the end.
    #[must_use]
    pub fn total(mut self, total: f64) -> Self {
        self.total = Some(total);
        self
    }

    /// What is going on, for people.
    #[must_use]
    pub fn message(mut self, message: impl Into<Text>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// Whether JSON can say it.
    pub(crate) fn is_finite(&self) -> bool {
        self.progress.is_finite() && self.total.is_none_or(f64::is_finite)
    }
}

impl From<f64> for Progress {
    fn from(progress: f64) -> Self {
        Self::new(progress)
    }
}

/// So far, and in all.
impl From<(f64, f64)> for Progress {
    fn from((progress, total): (f64, f64)) -> Self {
        Self::new(progress).total(total)
    }
}
