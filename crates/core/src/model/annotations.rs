//! Annotations: hints for how a client may use a resource.

use super::Text;

/// A part of the audience of a resource or content block.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Role {
    /// The model of the host.
    Assistant,
    /// The person who uses the host.
    User,
}

impl Role {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Assistant => "assistant",
            Self::User => "user",
        }
    }
}

/// Hints on a resource or content block (2026-07-28 server/resources, "Annotations").
///
/// ```
/// use grange_core::{Annotations, Role};
/// let hints = Annotations::new().audience([Role::User]).priority(0.8).last_modified("2026-01-01T00:00:00Z");
/// assert!(!hints.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Annotations {
    pub(crate) audience: Vec<Role>,
    pub(crate) priority: Option<f64>,
    pub(crate) last_modified: Option<Text>,
}

impl Annotations {
    /// Annotations without hints.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the audience.
    #[must_use]
    pub fn audience(mut self, audience: impl IntoIterator<Item = Role>) -> Self {
        self.audience = audience.into_iter().collect();
        self
    }

    /// Sets the importance, from 0 (entirely optional) to 1 (effectively required).
    #[must_use]
    pub fn priority(mut self, priority: f64) -> Self {
        self.priority = Some(priority);
        self
    }

    /// Sets the time of the last change, as an RFC 3339 date and time. Sent from 2025-06-18 on.
    #[must_use]
    pub fn last_modified(mut self, timestamp: impl Into<Text>) -> Self {
        self.last_modified = Some(timestamp.into());
        self
    }

    /// Whether there are no hints.
    pub fn is_empty(&self) -> bool {
        self.audience.is_empty() && self.priority.is_none() && self.last_modified.is_none()
    }

    pub(crate) fn problems(&self) -> impl Iterator<Item = String> {
        let priority = self.priority.filter(|priority| !(0.0..=1.0).contains(priority));
        let priority = priority.map(|priority| format!("priority {priority} is outside 0.0 to 1.0"));
        let time = self.last_modified.as_ref().and_then(|time| {
            grange_uri::check_timestamp(time).err().map(|error| format!("last_modified `{time}` {error}"))
        });
        priority.into_iter().chain(time)
    }
}
