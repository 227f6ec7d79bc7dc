//! A catalog: the declared entries of one primitive. They are looked up by key, byte for byte, and listed in pages. A list is **encoded
//! at most once** for each of its JSON shapes, when a client first requests it.
//!
//! Generic over the [`Entry`]. Not here: the entries (`primitive/*/entry.rs`), their JSON names (`primitive/*/wire.rs`), and the
//! catalogs that a server has (`server/primitives.rs`).

mod checksum;
mod cursor;
mod hash;

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::OnceLock;

use bytes::Bytes;

pub(crate) use self::checksum::Checksum;
use self::hash::BuildKeyHasher;
use crate::call::Reply;
use crate::era::Era;
use crate::model::{CacheHints, CacheScope, Target, Text};
use crate::rejection::Rejection;
use crate::task::Task;

/// The result of reading or calling an entry: a reply, or the task that computes one.
pub(crate) enum Found {
    /// The contents are fixed.
    Reply(Reply<'static>),
    /// Author code computes the answer, for this target.
    Task(Target, Box<dyn Task>),
}

/// An entry of a catalog.
pub(crate) trait Entry {
    /// The member of a list's result that has the entries, up to the opening bracket: `"tools":[`.
    const LIST: &'static [u8];

    /// The number of different JSON shapes that the revisions have for the entry.
    const SHAPES: usize;

    /// The name or URI by which a client names the entry. It is unique in the catalog.
    fn key(&self) -> &Text;

    /// Whether users may share a cached list with this entry, if the server's hints allow it.
    fn is_public(&self) -> bool {
        true
    }

    /// The shape that a revision has, below [`SHAPES`](Self::SHAPES).
    fn shape(era: &Era) -> usize;

    /// Writes the entry as an element of the list.
    fn write(&self, out: &mut Vec<u8>, era: &Era);
}

/// The entries of one primitive, frozen.
pub(crate) struct Catalog<T> {
    entries: Vec<T>,
    /// The hash need not resist attacks: only the author chooses the keys.
    by_key: HashMap<Text, usize, BuildKeyHasher>,
    page_size: Option<NonZeroUsize>,
    /// The cache hints of every page.
    hints: CacheHints,
    /// The encoded lists, by shape.
    lists: Box<[OnceLock<List>]>,
}

/// The entries of a list, encoded one after the other with commas between.
struct List {
    whole: Bytes,
    entries: Bytes,
    /// The offset of each entry in `entries`; empty without paging.
    starts: Vec<usize>,
}

impl List {
    fn slice(&self, entries: Range<usize>) -> Bytes {
        let from = self.starts.get(entries.start).copied().unwrap_or(self.entries.len());
        // An entry ends one byte, its comma, before the next one starts.
        let to = self.starts.get(entries.end).map_or(self.entries.len(), |next| next - 1);
        self.entries.slice(from..to.max(from))
    }
}

impl<T: Entry> Catalog<T> {
    /// Takes entries with distinct keys, and the hints of a list that users may share.
    pub(crate) fn new(entries: Vec<T>, page_size: Option<NonZeroUsize>, hints: CacheHints) -> Self {
        let by_key = entries.iter().enumerate().map(|(index, entry)| (entry.key().clone(), index)).collect();
        let scope = if entries.iter().all(T::is_public) { hints.scope } else { CacheScope::Private };
        let lists = (0..T::SHAPES).map(|_| OnceLock::new()).collect();
        Self { entries, by_key, page_size, hints: CacheHints { scope, ..hints }, lists }
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| &**entry.key())
    }

    /// The cache hints of the lists.
    pub(crate) fn hints(&self) -> CacheHints {
        self.hints
    }

    /// The entries, in the order in which they were registered.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &T> {
        self.entries.iter()
    }

    /// Looks up an entry by its key, byte for byte.
    pub(crate) fn find(&self, key: &str) -> Option<&T> {
        self.by_key.get(key).map(|index| &self.entries[*index])
    }

    /// The number of entries.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Some entries of a list with pages, encoded, with commas between.
    pub(crate) fn encoded(&self, entries: Range<usize>, era: &Era) -> Bytes {
        self.encoded_list(era).slice(entries)
    }

    fn encoded_list(&self, era: &Era) -> &List {
        self.lists[T::shape(era)].get_or_init(|| self.encode(era))
    }

    /// One page of the list: the first, or the one that the cursor names.
    pub(crate) fn list(&self, cursor: Option<&str>, era: &Era) -> Result<Reply<'static>, Rejection> {
        let list = self.encoded_list(era);
        let members = match (self.page_size, cursor) {
            (None, None) => [list.whole.clone(), Bytes::new(), Bytes::new()],
            (None, Some(_)) => return Err(Rejection::UnknownCursor),
            (Some(size), cursor) => self.page(list, size.get(), self.offset(cursor, size.get())?),
        };
        Ok(Reply { cache: Some(self.hints), members, ..Reply::default() })
    }

    fn encode(&self, era: &Era) -> List {
        let mut out = T::LIST.to_vec();
        let mut starts = Vec::new();
        for (index, entry) in self.entries.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            if self.page_size.is_some() {
                starts.push(out.len() - T::LIST.len());
            }
            entry.write(&mut out, era);
        }
        out.push(b']');
        let whole = Bytes::from(out);
        List { entries: whole.slice(T::LIST.len()..whole.len() - 1), whole, starts }
    }

    fn offset(&self, cursor: Option<&str>, size: usize) -> Result<usize, Rejection> {
        let Some(cursor) = cursor else { return Ok(0) };
        let offset = cursor::offset(cursor).ok_or(Rejection::UnknownCursor)?;
        let issued = offset % size == 0 && (1..self.entries.len()).contains(&offset);
        if issued && self.cursor(offset) == cursor { Ok(offset) } else { Err(Rejection::UnknownCursor) }
    }

    fn page(&self, list: &List, size: usize, offset: usize) -> [Bytes; 3] {
        let end = (offset + size).min(self.entries.len());
        let tail = if end < self.entries.len() {
            Bytes::from(format!("],\"nextCursor\":\"{}\"", self.cursor(end)))
        } else {
            Bytes::from_static(b"]")
        };
        [Bytes::from_static(T::LIST), list.slice(offset..end), tail]
    }

    fn cursor(&self, offset: usize) -> String {
        let keys = [offset - 1, offset].map(|index| &**self.entries[index].key());
        cursor::issue(offset, self.page_size, keys)
    }
}
