//! A resource in the catalog. Its contents are fixed (`fixed.rs`), or a reader computes them (`read.rs`).

use super::builder::Resource;
use super::definition::{ContentSource, Reader};
use super::fixed::Fixed;
use super::read::Read;
use super::wire;
use crate::call::Reply;
use crate::catalog::{Entry, Found};
use crate::era::{Era, Fields};
use crate::model::{CacheHints, CacheScope, Primitive, Text};
use crate::task::task;

/// A registered resource.
pub(crate) struct ResourceEntry {
    resource: Resource,
    hints: CacheHints,
    source: Source,
}

enum Source {
    Fixed(Fixed),
    Read(Reader),
}

impl ResourceEntry {
    /// Takes a definition without problems, and the cache hints for contents without their own.
    pub(crate) fn new(resource: Resource, defaults: CacheHints) -> Self {
        let definition = resource.definition();
        let hints = CacheHints {
            ttl: definition.ttl.unwrap_or(defaults.ttl),
            scope: definition.cache_scope.unwrap_or(defaults.scope),
        };
        let source = match definition.source.clone().unwrap_or_default() {
            ContentSource::Fixed(payload) => Source::Fixed(Fixed::new(payload)),
            ContentSource::Read(reader) => Source::Read(reader),
        };
        Self { resource, hints, source }
    }

    /// The contents, or the task that computes them.
    pub(crate) fn read(&self, era: &Era) -> Found {
        match &self.source {
            Source::Fixed(fixed) => {
                let members = fixed.members(self.resource.definition(), era.fields);
                Found::Reply(Reply { cache: Some(self.hints), members, ..Reply::default() })
            }
            Source::Read(reader) => {
                let read = Read::new(self.resource.clone(), reader.clone(), self.hints);
                Found::Task(Primitive::Resource.target(self.key().clone()), task(read))
            }
        }
    }
}

impl Entry for ResourceEntry {
    const LIST: &'static [u8] = b"\"resources\":[";
    const SHAPES: usize = Fields::SHAPES;

    fn key(&self) -> &Text {
        &self.resource.definition().listing.uri
    }

    fn is_public(&self) -> bool {
        self.hints.scope == CacheScope::Public
    }

    fn shape(era: &Era) -> usize {
        era.fields.slot
    }

    fn write(&self, out: &mut Vec<u8>, era: &Era) {
        wire::entry(out, &self.resource.definition().listing, era.fields);
    }
}
