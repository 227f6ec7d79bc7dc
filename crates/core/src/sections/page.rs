//! A page as it is written: entries one after the other, then the cursor of the next page.

use std::num::NonZeroUsize;

use super::cursor::Position;
use crate::call::Reply;
use crate::catalog::{Checksum, Entry};
use crate::era::Era;
use crate::model::{CacheHints, Listing};
use crate::primitive::{ResourceEntry, write_entry};

/// A page with some of its entries.
pub(super) struct Page {
    out: Vec<u8>,
    /// The number of entries that have room.
    room: usize,
    /// Of the list.
    checksum: Checksum,
    hints: CacheHints,
}

impl Page {
    pub(super) fn new(size: NonZeroUsize, checksum: Checksum, hints: CacheHints) -> Self {
        Self { out: ResourceEntry::LIST.to_vec(), room: size.get(), checksum, hints }
    }

    /// The number of entries that have room.
    pub(super) fn room(&self) -> usize {
        self.room
    }

    /// Appends an entry, which has room.
    pub(super) fn push(&mut self, listing: &Listing, era: &Era) {
        self.begin(1);
        write_entry(&mut self.out, "uri", listing, era.fields);
    }

    /// Appends so many entries, which have room and are encoded already, with commas between.
    pub(super) fn push_encoded(&mut self, encoded: &[u8], entries: usize) {
        if entries > 0 {
            self.begin(entries);
            self.out.extend_from_slice(encoded);
        }
    }

    fn begin(&mut self, entries: usize) {
        self.room -= entries;
        if self.out.len() > ResourceEntry::LIST.len() {
            self.out.push(b',');
        }
    }

    /// What was listed may have changed meanwhile.
    pub(super) fn expire(&mut self) {
        self.hints.ttl = std::time::Duration::ZERO;
    }

    /// The reply, with the cursor of the next page if there is one.
    pub(super) fn finish(mut self, next: Option<&Position>) -> Reply<'static> {
        self.out.push(b']');
        if let Some(next) = next {
            for part in [",\"nextCursor\":\"", &next.cursor(self.checksum), "\""] {
                self.out.extend_from_slice(part.as_bytes());
            }
        }
        Reply { cache: Some(self.hints), ..Reply::members(self.out) }
    }
}
