//! What a server has. Here the resources: looked up by exact URI, listed in registration order, **encoded at most once** for each row
//! shape and only when somebody asks.
//!
//! Not here: what runs a reader (`job/read.rs`), and what an encoded entry looks like (`era/names/`).

mod cursor;
mod extensions;
mod fixed;
mod tools;

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::OnceLock;

use bytes::Bytes;

pub(crate) use self::extensions::Extensions;
use self::fixed::Fixed;
pub(crate) use self::tools::Tools;
use crate::call::{Members, Reply};
use crate::define::{ContentSource, Resource};
use crate::era::{self, Fields};
use crate::fault::Fault;
use crate::model::{CacheHints, CacheScope, Text};

/// The registered resources.
pub(crate) struct Registry {
    entries: Vec<Entry>,
    by_uri: HashMap<Text, usize>,
    page_size: Option<NonZeroUsize>,
    /// Hints of the lists, the same on every page.
    list_hints: CacheHints,
    lists: [OnceLock<List>; Fields::SHAPES],
}

struct Entry {
    resource: Resource,
    hints: CacheHints,
    fixed: Option<Fixed>,
}

/// The entries of `resources/list`, encoded one after the other with commas between.
struct List {
    whole: Bytes,
    entries: Bytes,
    /// Where each entry starts; kept only for paging.
    starts: Vec<usize>,
}

/// What a URI leads to.
pub(crate) enum Found<'a> {
    Fixed(Reply<'a>),
    /// A reader to run, and the hints for what it gives.
    Read(&'a Resource, CacheHints),
}

impl Registry {
    /// Takes resources whose URIs differ.
    pub(crate) fn new(resources: Vec<Resource>, page_size: Option<NonZeroUsize>, defaults: CacheHints) -> Self {
        let by_uri =
            resources.iter().enumerate().map(|(index, resource)| (resource.definition().listing.uri.clone(), index));
        let by_uri = by_uri.collect();
        let entries: Vec<_> = resources.into_iter().map(|resource| Entry::new(resource, defaults)).collect();
        let all_public = entries.iter().all(|entry| entry.hints.scope == CacheScope::Public);
        let scope = if all_public { defaults.scope } else { CacheScope::Private };
        let list_hints = CacheHints { scope, ..defaults };
        Self { entries, by_uri, page_size, list_hints, lists: Default::default() }
    }

    pub(crate) fn uris(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.resource.uri())
    }

    /// Looks a URI up, byte for byte.
    pub(crate) fn find(&self, uri: &str, fields: &'static Fields) -> Option<Found<'_>> {
        let index = *self.by_uri.get(uri)?;
        let entry = &self.entries[index];
        Some(match &entry.fixed {
            None => Found::Read(&entry.resource, entry.hints),
            Some(fixed) => {
                let members = fixed.members(entry.resource.definition(), fields);
                Found::Fixed(Reply { cache: Some(entry.hints), meta: None, members: Members::Encoded(members) })
            }
        })
    }

    /// A page of `resources/list`.
    pub(crate) fn list(&self, cursor: Option<&str>, fields: &'static Fields) -> Result<Reply<'static>, Fault> {
        let list = self.lists[fields.slot].get_or_init(|| self.encode(fields));
        let members = match (self.page_size, cursor) {
            (None, None) => [list.whole.clone(), Bytes::new(), Bytes::new()],
            (None, Some(_)) => return Err(Fault::UnknownCursor),
            (Some(size), cursor) => self.page(list, size.get(), self.offset(cursor, size.get())?),
        };
        Ok(Reply { cache: Some(self.list_hints), meta: None, members: Members::Encoded(members) })
    }

    /// `resources/templates/list`: there are none, and so no cursor that could have been issued.
    pub(crate) fn templates(&self, cursor: Option<&str>) -> Result<Reply<'static>, Fault> {
        if cursor.is_some() {
            return Err(Fault::UnknownCursor);
        }
        let members = Bytes::from_static(b"\"resourceTemplates\":[]");
        Ok(Reply { cache: Some(self.list_hints), ..Reply::members(members) })
    }

    fn encode(&self, fields: &Fields) -> List {
        const HEAD: &[u8] = b"\"resources\":[";
        let mut out = HEAD.to_vec();
        let mut starts = Vec::new();
        for (index, entry) in self.entries.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            if self.page_size.is_some() {
                starts.push(out.len() - HEAD.len());
            }
            era::resource_entry(&mut out, &entry.resource.definition().listing, fields);
        }
        out.push(b']');
        let whole = Bytes::from(out);
        List { entries: whole.slice(HEAD.len()..whole.len() - 1), whole, starts }
    }

    fn offset(&self, cursor: Option<&str>, size: usize) -> Result<usize, Fault> {
        let Some(cursor) = cursor else { return Ok(0) };
        let offset = cursor::offset(cursor).ok_or(Fault::UnknownCursor)?;
        let issued = offset % size == 0 && (1..self.entries.len()).contains(&offset);
        if issued && self.cursor(offset) == cursor { Ok(offset) } else { Err(Fault::UnknownCursor) }
    }

    fn page(&self, list: &List, size: usize, offset: usize) -> [Bytes; 3] {
        let end = (offset + size).min(self.entries.len());
        let from = list.starts.get(offset).copied().unwrap_or(0);
        // An entry ends one byte, its comma, before the next one starts.
        let to = list.starts.get(end).map_or(list.entries.len(), |next| next - 1);
        let tail = if end < self.entries.len() {
            Bytes::from(format!("],\"nextCursor\":\"{}\"", self.cursor(end)))
        } else {
            Bytes::from_static(b"]")
        };
        [Bytes::from_static(b"\"resources\":["), list.entries.slice(from..to), tail]
    }

    fn cursor(&self, offset: usize) -> String {
        let uris = [offset - 1, offset].map(|index| self.entries[index].resource.uri());
        cursor::issue(offset, self.page_size, uris)
    }
}

impl Entry {
    fn new(resource: Resource, defaults: CacheHints) -> Self {
        let definition = resource.definition();
        let hints = CacheHints {
            ttl: definition.ttl.unwrap_or(defaults.ttl),
            scope: definition.cache_scope.unwrap_or(defaults.scope),
        };
        let fixed = matches!(definition.source, Some(ContentSource::Fixed(_))).then(Fixed::default);
        Self { resource, hints, fixed }
    }
}
