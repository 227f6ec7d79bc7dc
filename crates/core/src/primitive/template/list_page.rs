//! A page of a template's instances: what the author's code gets, and what it returns.

use std::fmt::{self, Display};
use std::sync::Arc;

use serde::Serialize;

use super::expand::expand;
use super::listed_entry::Entry;
use crate::define::{Context, ReadError};
use crate::model::{Listing, Text};
use crate::task::BoxFuture;

/// Starts the list of one page.
pub(super) type ListCode = Arc<dyn Fn(Context, ListPage) -> BoxFuture<Result<Entries, ReadError>> + Send + Sync>;

/// A page of resources that a template is to list: where it starts and how long it may be. It makes the [`Entries`] of rows.
pub struct ListPage {
    pattern: Arc<grange_uri::Template>,
    /// Of all instances.
    mime_type: Option<Text>,
    after: Option<String>,
    limit: usize,
}

impl ListPage {
    pub(super) fn new(
        pattern: Arc<grange_uri::Template>,
        mime_type: Option<Text>,
        after: Option<String>,
        limit: usize,
    ) -> Self {
        Self { pattern, mime_type, after, limit }
    }

    /// The token that the page before gave to [`Entries::next`]; `None` for the first page. **It is a client's input**: use it as a bound
    /// parameter.
    pub fn after(&self) -> Option<&str> {
        self.after.as_deref()
    }

    /// The most entries that the page may have.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// The entries of rows. The code gives for each row the values of the template's variables, of which the URI is made as by
    /// [`Template::uri`](crate::Template::uri), and the entry. Values that make no URI, and two rows with one URI, are a failure of the whole page.
    pub fn entries<R, A: Serialize>(
        &self,
        rows: impl IntoIterator<Item = R>,
        mut row: impl FnMut(R) -> (A, Entry),
    ) -> Entries {
        let mut entries = Entries::default();
        for each in rows {
            let (values, entry) = row(each);
            match expand(&self.pattern, &values) {
                Ok(uri) => entries.listed.push(self.listing(uri, entry)),
                Err(error) => entries.problems.push(error.to_string()),
            }
        }
        entries
    }

    /// The entries of rows that have their URIs: the code gives the URI for each row, and the entry. A URI that the template does not
    /// match, and two rows with one URI, are a failure of the whole page.
    pub fn entries_at<R, U: Into<String>>(
        &self,
        rows: impl IntoIterator<Item = R>,
        mut row: impl FnMut(R) -> (U, Entry),
    ) -> Entries {
        let listed = rows.into_iter().map(|each| {
            let (uri, entry) = row(each);
            self.listing(uri.into(), entry)
        });
        Entries { listed: listed.collect(), ..Entries::default() }
    }

    /// What a read says of the MIME type of all instances holds for an entry that says nothing.
    fn listing(&self, uri: String, Entry(listing): Entry) -> Listing {
        let mime_type = listing.mime_type.or_else(|| self.mime_type.clone());
        Listing { uri: uri.into(), mime_type, ..listing }
    }
}

impl fmt::Debug for ListPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ListPage").field("after", &self.after).field("limit", &self.limit).finish_non_exhaustive()
    }
}

/// The entries of one page, and the token of the next one; see [`ListPage::entries`].
#[derive(Clone, Debug, Default)]
#[must_use = "it is what the code of `.list(…)` returns"]
pub struct Entries {
    pub(super) listed: Vec<Listing>,
    /// Of rows that have no URI.
    pub(super) problems: Vec<String>,
    pub(super) next: Option<String>,
}

impl Entries {
    /// The token with which the next page starts, as the key of the last row: at most 1 KiB as text. `None` ends the list. A page may have
    /// fewer entries than the limit, or none, and be followed by others.
    pub fn next(mut self, token: Option<impl Display>) -> Self {
        self.next = token.map(|token| token.to_string());
        self
    }

    /// The URIs of the entries, for tests.
    pub fn uris(&self) -> impl Iterator<Item = &str> {
        self.listed.iter().map(|each| &*each.uri)
    }

    /// The token of the next page, for tests.
    pub fn token(&self) -> Option<&str> {
        self.next.as_deref()
    }
}
