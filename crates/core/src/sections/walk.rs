//! The walk over the sections that makes a page, up to the first section whose entries the author's code lists.

use std::ops::ControlFlow::{self, Break, Continue};

use super::cursor::Position;
use super::page::Page;
use crate::catalog::Catalog;
use crate::era::Era;
use crate::primitive::{Resource, ResourceEntry};
use crate::rejection::Rejection;
use crate::shelf::Shelved;

/// The sections of a list at one moment: the fixed resources are number 0, then come the shelves, then the templates that list.
pub(super) struct Walk<'a> {
    pub(super) fixed: &'a Catalog<ResourceEntry>,
    pub(super) shelved: &'a Shelved,
    /// How many templates list.
    pub(super) listers: usize,
    pub(super) era: &'a Era,
}

/// Where a walk has stopped.
pub(super) enum Stop {
    /// There is no other entry.
    End,
    /// The page is full, and the next one starts here.
    At(Position),
    /// The page has room for entries of this template, from here on.
    Lister { index: usize, start: Position },
}

/// `Break`: the page is full, and the next one starts there. `Continue`: the section is over, and the next one starts there.
type Step = ControlFlow<Position, Position>;

impl Walk<'_> {
    /// Fills a page.
    pub(super) fn fill(&self, page: &mut Page, start: Position) -> Result<Stop, Rejection> {
        let first_lister = 1 + self.shelved.len();
        if start.section >= first_lister + self.listers {
            return Err(Rejection::UnknownCursor);
        }
        let step = match self.fixed(page, start)? {
            Continue(start) => self.shelves(page, start),
            full @ Break(_) => full,
        };
        Ok(match step {
            Break(next) => Stop::At(next),
            Continue(_) if self.listers == 0 => Stop::End,
            Continue(start) if page.room() == 0 => Stop::At(start),
            Continue(start) => Stop::Lister { index: start.section - first_lister, start },
        })
    }

    /// Fixed resources never change: the token is the number of entries before the page.
    fn fixed(&self, page: &mut Page, start: Position) -> Result<Step, Rejection> {
        if start.section > 0 {
            return Ok(Continue(start));
        }
        let all = self.fixed.len();
        let from = start.token.map_or(Some(0), |token| token.parse().ok()).ok_or(Rejection::UnknownCursor)?;
        let to = all.min(page.room().saturating_add(from));
        if from > to {
            return Err(Rejection::UnknownCursor);
        }
        page.push_encoded(&self.fixed.encoded(from..to, self.era), to - from);
        Ok(if to < all {
            Break(Position { section: 0, token: Some(to.to_string()) })
        } else {
            Continue(Position { section: 1, token: None })
        })
    }

    fn shelves(&self, page: &mut Page, start: Position) -> Step {
        let Position { mut section, mut token } = start;
        for (index, shelf) in self.shelved.iter().enumerate().skip(section - 1) {
            let visible = |resource: &&Resource| !self.is_hidden(resource.uri(), index);
            let behind = token.take();
            let mut last = behind.as_deref();
            for resource in shelf.behind(last.unwrap_or_default()).filter(visible) {
                if page.room() == 0 {
                    return Break(Position { section, token: last.map(str::to_owned) });
                }
                page.push(&resource.definition().listing, self.era);
                last = Some(resource.uri());
            }
            section += 1;
        }
        Continue(Position { section, token })
    }

    /// Whether a fixed resource or a shelf before this one has the URI.
    fn is_hidden(&self, uri: &str, index: usize) -> bool {
        self.fixed.find(uri).is_some() || self.shelved.is_before(uri, index)
    }
}
