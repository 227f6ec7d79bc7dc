//! The revisions that a server serves.

use super::revision::Revision;
use super::row::Era;
use super::table::ALL;

/// The rows that a server serves: all of them, unless the author chose some.
#[derive(Clone, Debug)]
pub(crate) struct Served {
    rows: Vec<&'static Era>,
}

impl Default for Served {
    fn default() -> Self {
        Self { rows: ALL.iter().collect() }
    }
}

impl Served {
    /// Only these revisions, in the order of the table.
    pub(crate) fn only(revisions: &[Revision]) -> Self {
        Self { rows: ALL.iter().filter(|era| revisions.contains(&era.revision)).collect() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub(super) fn serves(&self, era: &Era) -> bool {
        self.rows.iter().any(|row| std::ptr::eq(*row, era))
    }

    pub(super) fn named(&self, name: &str) -> Option<&'static Era> {
        self.rows.iter().copied().find(|era| era.name == name)
    }

    pub(super) fn modern(&self) -> impl DoubleEndedIterator<Item = &'static Era> {
        self.rows.iter().copied().filter(|era| !era.handshake)
    }

    /// The rows with a handshake, newest first.
    pub(super) fn legacy(&self) -> impl Iterator<Item = &'static Era> {
        self.rows.iter().rev().copied().filter(|era| era.handshake)
    }

    pub(super) fn newest_legacy(&self) -> Option<&'static Era> {
        self.legacy().next()
    }

    /// The revision that `initialize` settles: the requested one if it has a handshake and is served, else the newest
    /// such one.
    pub(crate) fn negotiate(&self, requested: &str) -> Option<&'static Era> {
        self.named(requested).filter(|era| era.handshake).or_else(|| self.newest_legacy())
    }

    /// The names of all rows, newest first.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        self.rows.iter().rev().map(|era| era.name).collect()
    }

    pub(crate) fn modern_names(&self) -> Vec<&'static str> {
        self.modern().rev().map(|era| era.name).collect()
    }
}
