//! The progress of a request, reported before its answer.

use super::Text;

/// The progress of a request (2026-07-28 basic/utilities/progress).
///
/// ```
/// use grange_core::Progress;
/// let third = Progress::new(1.0).total(3.0).message("read the first file");
/// assert_eq!(Progress::from((1.0, 3.0)).total, third.total);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// The progress so far: a number that only grows.
    pub progress: f64,
    /// The progress at the end, if it is known.
    pub total: Option<f64>,
    /// The current step, for people. Sent from 2025-03-26 on.
    pub message: Option<Text>,
}

impl Progress {
    /// Progress with an unknown total.
    pub fn new(progress: f64) -> Self {
        Self { progress, total: None, message: None }
    }

    /// Sets the progress at the end.
    #[must_use]
    pub fn total(mut self, total: f64) -> Self {
        self.total = Some(total);
        self
    }

    /// Sets the current step, for people.
    #[must_use]
    pub fn message(mut self, message: impl Into<Text>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// Whether JSON can represent the numbers.
    pub(crate) fn is_finite(&self) -> bool {
        self.progress.is_finite() && self.total.is_none_or(f64::is_finite)
    }
}

impl From<f64> for Progress {
    fn from(progress: f64) -> Self {
        Self::new(progress)
    }
}

/// The progress so far, and the total.
impl From<(f64, f64)> for Progress {
    fn from((progress, total): (f64, f64)) -> Self {
        Self::new(progress).total(total)
    }
}
