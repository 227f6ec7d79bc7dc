//! The sections of `resources/list`, as they are declared.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::sync::Arc;

use super::cursor::Position;
use super::listing::ListingPage;
use super::page::Page;
use super::walk::{Stop, Walk};
use crate::catalog::{Catalog, Checksum, Found};
use crate::era::Era;
use crate::model::{CacheHints, CacheScope, Text};
use crate::primitive::{Lister, ResourceEntry};
use crate::rejection::Rejection;
use crate::shelf::{Shelved, Shelves};
use crate::task::task;

/// Entries of a page, unless the author gives another number: a hundred thousand on one page are too long an answer for many clients.
const PAGE_SIZE: NonZeroUsize = NonZeroUsize::new(1000).expect("it is not 0");

/// The sections of a list.
pub(crate) struct Sections {
    page_size: NonZeroUsize,
    hints: CacheHints,
    /// Of the definitions of the sections. A cursor of another list is not accepted.
    checksum: Checksum,
    /// The URIs of the fixed resources.
    fixed: Arc<HashSet<Text>>,
    listers: Vec<Lister>,
}

impl Sections {
    /// The number of entries on a page, where the author gave this one.
    pub(crate) fn page_size(page_size: Option<NonZeroUsize>) -> NonZeroUsize {
        page_size.unwrap_or(PAGE_SIZE)
    }

    /// The list with these fixed resources, shelves and templates that list.
    pub(crate) fn new(
        fixed: &Catalog<ResourceEntry>,
        page_size: NonZeroUsize,
        shelves: &Shelves,
        listers: Vec<Lister>,
    ) -> Self {
        let is_public = shelves.are_public() && listers.iter().all(Lister::is_public);
        let scope = if is_public { fixed.hints().scope } else { CacheScope::Private };
        let checksum = Checksum::new().number(page_size.get()).number(shelves.len());
        let checksum = fixed.keys().fold(checksum, Checksum::text);
        let checksum = listers.iter().fold(checksum, |sum, lister| sum.text(lister.template()));
        let hints = CacheHints { scope, ..fixed.hints() };
        let fixed = Arc::new(fixed.entries().map(|entry| crate::catalog::Entry::key(entry).clone()).collect());
        Self { page_size, hints, checksum, fixed, listers }
    }

    /// A page: the first, or the one of the cursor. **It calls the code of one template at most.**
    pub(crate) fn page(
        &self,
        fixed: &Catalog<ResourceEntry>,
        shelved: Shelved,
        cursor: Option<&str>,
        era: &Era,
    ) -> Result<Found, Rejection> {
        let start = match cursor {
            Some(cursor) => Position::of(cursor, self.checksum).ok_or(Rejection::UnknownCursor)?,
            None => Position::START,
        };
        let mut page = Page::new(self.page_size, self.checksum, self.hints);
        let walk = Walk { fixed, shelved: &shelved, listers: self.listers.len(), era };
        let (index, start) = match walk.fill(&mut page, start)? {
            Stop::End => return Ok(Found::Reply(page.finish(None))),
            Stop::At(next) => return Ok(Found::Reply(page.finish(Some(&next)))),
            Stop::Lister { index, start } => (index, start),
        };
        let lister = self.listers.get(index).ok_or(Rejection::UnknownCursor)?.clone();
        let (target, is_last, fixed) = (lister.target(), index + 1 == self.listers.len(), self.fixed.clone());
        let page = ListingPage { lister, page: Some(page), start, is_last, fixed, shelved, announced: 0 };
        Ok(Found::Task(target, task(page)))
    }
}
