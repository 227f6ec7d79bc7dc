//! A template that lists its resources: starts the author's code, and checks what it returns.

use std::collections::HashSet;
use std::sync::Arc;

use grange_uri::Match;

use super::builder::Template;
use super::list_page::{Entries, ListCode, ListPage};
use crate::define::{Context, HandlerFailure, ReadError};
use crate::model::{Listing, Target};
use crate::task::BoxFuture;

/// A registered template that lists its resources.
#[derive(Clone)]
pub(crate) struct Lister {
    template: Template,
    pattern: Arc<grange_uri::Template>,
    code: ListCode,
    is_public: bool,
}

impl Lister {
    /// The longest token that a cursor takes, in bytes.
    const TOKEN: usize = 1024;
    /// Most problems of one page that are reported.
    const REPORTED: usize = 16;

    /// The text of the template.
    pub(crate) fn template(&self) -> &str {
        self.template.uri_template()
    }

    pub(crate) fn target(&self) -> Target {
        Target::List(self.template.definition().common.listing.uri.clone())
    }

    /// Whether users may share a cached list with its resources, if the server's hints allow it.
    pub(crate) fn is_public(&self) -> bool {
        self.is_public
    }

    /// Starts the author's code.
    pub(crate) fn list(
        &self,
        context: Context,
        after: Option<String>,
        limit: usize,
    ) -> BoxFuture<Result<Entries, ReadError>> {
        let mime_type = self.template.definition().common.listing.mime_type.clone();
        (self.code)(context, ListPage::new(self.pattern.clone(), mime_type, after, limit))
    }

    /// The entries, and the token of the next page; or the problems, each with its remedy.
    pub(crate) fn check(
        &self,
        entries: Entries,
        after: Option<&str>,
        limit: usize,
    ) -> Result<(Vec<Listing>, Option<String>), Vec<String>> {
        let Entries { listed, mut problems, next } = entries;
        if listed.len() + problems.len() > limit {
            let count = listed.len() + problems.len();
            problems.push(format!("there are {count} entries: give at most `page.limit()`, which is {limit}"));
        }
        let mut seen = HashSet::new();
        let entries = listed.iter().flat_map(|listing| self.problems(listing, seen.insert(&listing.uri)));
        problems.extend(entries.take(Self::REPORTED));
        problems.extend(next.as_deref().and_then(|next| token_problem(next, after)));
        problems.truncate(Self::REPORTED);
        if problems.is_empty() { Ok((listed, next)) } else { Err(problems) }
    }

    fn problems(&self, listing: &Listing, is_new: bool) -> Vec<String> {
        let mut problems: Vec<_> = listing.problems("entry");
        if !matches!(self.pattern.matches(&listing.uri), Match::Values(_)) {
            let template = self.template();
            problems.push(format!("the template `{template}` does not match it: list only its own resources"));
        }
        if !is_new {
            problems.push("it is listed twice: list each resource once".to_owned());
        }
        problems.into_iter().map(|problem| format!("`{}`: {problem}", listing.uri)).collect()
    }
}

fn token_problem(next: &str, after: Option<&str>) -> Option<String> {
    let (length, most) = (next.len(), Lister::TOKEN);
    if length > most {
        Some(format!("the token of the next page has {length} bytes, and {most} are possible: give a key"))
    } else if Some(next) == after {
        Some(format!(
            "the token of the next page is that of this page, `{next}`: give the key of the last row, or none at the end"
        ))
    } else {
        None
    }
}

impl Template {
    /// For the list, if the template has the code. `None` too for a definition with problems, which `build()` has rejected.
    pub(crate) fn lister(&self, is_public: bool) -> Option<Lister> {
        let (code, pattern) = (self.definition().list.clone()?, Arc::new(self.pattern().ok()?.clone()));
        Some(Lister { template: self.clone(), pattern, code, is_public })
    }

    /// Lists one page directly, for tests: without a transport, without authentication, and **without validation of the entries**. A template
    /// without that code has none.
    ///
    /// # Errors
    /// The failure of the code.
    pub async fn list(
        &self,
        context: impl Into<Context>,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Entries, HandlerFailure> {
        let Some(lister) = self.lister(false) else { return Ok(Entries::default()) };
        let context = context.into().for_target(lister.target());
        Ok(lister.list(context, after.map(str::to_owned), limit).await?)
    }
}
