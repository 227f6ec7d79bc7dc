//! The shelves of one server.

use std::sync::Arc;

use super::handle::Shelf;
use super::snapshot::Snapshot;
use crate::changes::Hub;
use crate::model::CacheScope;
use crate::primitive::Resource;

/// The shelves of a server, in order. Without a shelf it costs nothing.
#[derive(Default)]
pub(crate) struct Shelves(Vec<Shelf>);

/// The resources of all shelves, as one request sees them.
#[derive(Default)]
pub(crate) struct Shelved(Vec<Arc<Snapshot>>);

impl Shelves {
    pub(crate) fn add(&mut self, added: &Shelf) {
        self.0.push(added.clone());
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether a shelf was added twice.
    pub(crate) fn has_twice(&self) -> bool {
        self.0.iter().enumerate().any(|(at, shelf)| self.0[..at].iter().any(|earlier| earlier.is(shelf)))
    }

    /// Whether users may share a cached list with all of these.
    pub(crate) fn are_public(&self) -> bool {
        self.0.iter().all(|shelf| shelf.scope() == CacheScope::Public)
    }

    /// Announces their changes to this hub.
    pub(crate) fn join(&self, hub: &Arc<Hub>) {
        self.0.iter().for_each(|shelf| shelf.join(hub));
    }

    /// The resources at this moment.
    pub(crate) fn now(&self) -> Shelved {
        Shelved(self.0.iter().map(Shelf::snapshot).collect())
    }
}

impl Shelved {
    /// Looks up a resource by its URI, byte for byte: of two shelves that have it, the earlier decides.
    pub(crate) fn find(&self, uri: &str) -> Option<&Resource> {
        self.0.iter().find_map(|shelf| shelf.find(uri))
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether a shelf before the one with this index has the URI.
    pub(crate) fn is_before(&self, uri: &str, index: usize) -> bool {
        self.0.iter().take(index).any(|shelf| shelf.find(uri).is_some())
    }

    /// Each shelf, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Snapshot> {
        self.0.iter().map(|shelf| &**shelf)
    }
}
