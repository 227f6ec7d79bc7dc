//! A page that ends with entries of a template: runs the author's code, then checks and writes what it lists.

use std::collections::HashSet;
use std::sync::Arc;

use super::cursor::Position;
use super::page::Page;
use crate::define::{Context, HandlerFailure, ReadError};
use crate::model::Text;
use crate::primitive::{Entries, Lister};
use crate::shelf::Shelved;
use crate::task::{BoxFuture, Concluded, Handler, NoAnswer, Scope};

/// One such page.
pub(super) struct ListingPage {
    pub(super) lister: Lister,
    /// `None` once it is answered.
    pub(super) page: Option<Page>,
    pub(super) start: Position,
    /// Whether no other section follows.
    pub(super) is_last: bool,
    /// The URIs of the fixed resources, and the shelves, whose entries hide those of a template.
    pub(super) fixed: Arc<HashSet<Text>>,
    pub(super) shelved: Shelved,
    /// How many changes were announced when it started.
    pub(super) announced: u64,
}

impl ListingPage {
    fn room(&self) -> usize {
        self.page.as_ref().map_or(0, Page::room)
    }

    fn is_hidden(&self, uri: &str) -> bool {
        self.fixed.contains(uri) || self.shelved.find(uri).is_some()
    }

    /// Where the next page starts, if there is one.
    fn next(&self, token: Option<String>) -> Option<Position> {
        match token {
            Some(token) => Some(Position { section: self.start.section, token: Some(token) }),
            None if self.is_last => None,
            None => Some(Position { section: self.start.section + 1, token: None }),
        }
    }
}

impl Handler for ListingPage {
    type Outcome = Result<Entries, ReadError>;

    const NAME: &'static str = "list";

    fn start(&mut self, context: &Context) -> BoxFuture<Self::Outcome> {
        self.announced = context.changes().hub().announced();
        self.lister.list(context.clone(), self.start.token.clone(), self.room())
    }

    fn conclude(&mut self, scope: &Scope<'_>, outcome: Self::Outcome) -> Concluded {
        let entries = outcome.map_err(|ReadError(cause)| NoAnswer::from(cause))?;
        let listed = self.lister.check(entries, self.start.token.as_deref(), self.room());
        let (listed, token) = listed.map_err(HandlerFailure::InvalidList)?;
        let next = self.next(token);
        let Some(mut page) = self.page.take() else { return Err(crate::rejection::Rejection::Internal.into()) };
        for listing in listed.iter().filter(|listing| !self.is_hidden(&listing.uri)) {
            page.push(listing, scope.writer.era);
        }
        if scope.context.changes().hub().announced() != self.announced {
            page.expire();
        }
        Ok(scope.writer.write(page.finish(next.as_ref())))
    }
}
