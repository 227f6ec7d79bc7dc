//! The resources of a shelf during one change.

use std::collections::BTreeSet;

use super::error::ShelfError;
use super::news::News;
use super::snapshot::Snapshot;
use crate::define::definition_errors;
use crate::model::Text;
use crate::primitive::Resource;

/// The resources of a [`Shelf`](crate::Shelf) during one [change](crate::Shelf::change): the newest, to which clients get no access before
/// the change is complete.
pub struct ShelfSet {
    resources: Snapshot,
    /// The URIs that were inserted or removed.
    touched: BTreeSet<Text>,
}

/// A change that may be made: the new resources, and what there is to announce.
pub(super) type Outcome = (Snapshot, News);

impl ShelfSet {
    pub(super) fn new(before: &Snapshot) -> Self {
        Self { resources: before.clone(), touched: BTreeSet::new() }
    }

    /// Adds a resource, in place of one with the same URI, which is returned.
    pub fn insert(&mut self, resource: Resource) -> Option<Resource> {
        self.touched.insert(resource.definition().listing.uri.clone());
        self.resources.insert(resource)
    }

    /// Removes the resource with that URI, byte for byte, and returns it.
    pub fn remove(&mut self, uri: &str) -> Option<Resource> {
        let removed = self.resources.remove(uri)?;
        self.touched.insert(removed.definition().listing.uri.clone());
        Some(removed)
    }

    /// Removes all resources.
    pub fn clear(&mut self) {
        self.replace(Vec::new());
    }

    /// Replaces all resources by these, which have distinct URIs.
    pub(super) fn replace(&mut self, all: Vec<Resource>) {
        let touched = self.resources.iter().chain(&all).map(|each| each.definition().listing.uri.clone());
        self.touched.extend(touched);
        self.resources = Snapshot::new(all);
    }

    /// The resource with that URI, byte for byte.
    pub fn get(&self, uri: &str) -> Option<&Resource> {
        self.resources.find(uri)
    }

    /// The resources, in the order of the bytes of their URIs.
    pub fn iter(&self) -> impl Iterator<Item = &Resource> {
        self.resources.iter()
    }

    /// The number of resources.
    pub fn len(&self) -> usize {
        self.resources.len()
    }

    /// Whether there are no resources.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Checks what was put in.
    pub(super) fn conclude(self, before: &Snapshot) -> Result<Outcome, ShelfError> {
        let touched = self.touched.iter().filter_map(|uri| self.resources.find(uri));
        ShelfError::check(definition_errors(touched))?;
        let mut news = News::default();
        for uri in &self.touched {
            news.note(uri, before.find(uri), self.resources.find(uri));
        }
        Ok((self.resources, news))
    }
}
