//! The resources of a shelf at one moment, in the order of the bytes of their URIs. **A copy shares almost all of its memory** with the
//! original: resources are in chunks, and a change copies only the chunks that it touches.

use std::sync::Arc;

use crate::primitive::Resource;

/// Resources with distinct URIs, in order.
#[derive(Clone, Default)]
pub(crate) struct Snapshot {
    /// None of them is empty.
    chunks: Vec<Arc<Vec<Resource>>>,
    len: usize,
}

/// A new chunk has half of it.
const LONGEST: usize = 256;

impl Snapshot {
    /// Takes resources with distinct URIs.
    pub(super) fn new(mut resources: Vec<Resource>) -> Self {
        resources.sort_unstable_by(|one, other| one.uri().cmp(other.uri()));
        let chunks = resources.chunks(LONGEST / 2).map(|chunk| Arc::new(chunk.to_vec())).collect();
        Self { chunks, len: resources.len() }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Looks up a resource by its URI, byte for byte.
    pub(crate) fn find(&self, uri: &str) -> Option<&Resource> {
        let chunk = self.chunks.get(self.chunk(uri))?;
        place(chunk, uri).ok().map(|place| &chunk[place])
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Resource> {
        self.chunks.iter().flat_map(|chunk| chunk.iter())
    }

    /// The resources behind this URI, which need not be there.
    pub(crate) fn behind(&self, uri: &str) -> impl Iterator<Item = &Resource> {
        let at = self.chunk(uri);
        let start = self.chunks.get(at).map_or(0, |chunk| chunk.partition_point(|each| each.uri() <= uri));
        self.chunks[at.min(self.chunks.len())..].iter().flat_map(|chunk| chunk.iter()).skip(start)
    }

    /// Adds a resource, and returns the one that had its URI.
    pub(super) fn insert(&mut self, resource: Resource) -> Option<Resource> {
        let at = self.chunk(resource.uri());
        let Some(shared) = self.chunks.get_mut(at) else {
            self.chunks.push(Arc::new(vec![resource]));
            self.len = 1;
            return None;
        };
        let chunk = Arc::make_mut(shared);
        let place = match place(chunk, resource.uri()) {
            Ok(place) => return Some(std::mem::replace(&mut chunk[place], resource)),
            Err(place) => place,
        };
        chunk.insert(place, resource);
        self.len += 1;
        if chunk.len() > LONGEST {
            let upper = chunk.split_off(LONGEST / 2);
            self.chunks.insert(at + 1, Arc::new(upper));
        }
        None
    }

    /// Removes the resource with that URI, and returns it.
    pub(super) fn remove(&mut self, uri: &str) -> Option<Resource> {
        let at = self.chunk(uri);
        let place = place(self.chunks.get(at)?, uri).ok()?;
        let removed = Arc::make_mut(&mut self.chunks[at]).remove(place);
        self.len -= 1;
        self.join(at);
        Some(removed)
    }

    /// Joins a chunk that became short with the next one, so that many removals leave few chunks.
    fn join(&mut self, at: usize) {
        let first = if at + 1 < self.chunks.len() { at } else { at.saturating_sub(1) };
        let sizes = [first, first + 1].map(|each| self.chunks.get(each).map_or(0, |chunk| chunk.len()));
        if sizes[1] > 0 && sizes[0] + sizes[1] <= LONGEST / 2 {
            let next = self.chunks.remove(first + 1);
            Arc::make_mut(&mut self.chunks[first]).extend(next.iter().cloned());
        }
        self.chunks.retain(|chunk| !chunk.is_empty());
    }

    /// The index of the chunk where a URI is or would be; 0 without chunks.
    fn chunk(&self, uri: &str) -> usize {
        self.chunks.partition_point(|chunk| chunk[0].uri() <= uri).saturating_sub(1)
    }
}

fn place(chunk: &[Resource], uri: &str) -> Result<usize, usize> {
    chunk.binary_search_by(|each| each.uri().cmp(uri))
}

#[cfg(test)]
mod tests;
