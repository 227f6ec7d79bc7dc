//! A URI as a client sent it, checked and split once for any number of templates.

use iri_string::types::UriAbsoluteStr;

use super::steps;

/// A URI to match against templates.
///
/// Its text is checked once, and its `/` are found once, so that each of many templates looks only at the segments that
/// it compares.
///
/// ```
/// use grange_uri::{Candidate, Match, Template};
///
/// let templates = [Template::parse("demo://a/{v}")?, Template::parse("demo://b/{v}")?];
/// let candidate = Candidate::new("demo://b/1").unwrap();
/// let first = templates.iter().position(|template| template.matches_candidate(&candidate) != Match::No);
/// assert_eq!(first, Some(1));
///
/// // Not RFC 3986, or with a fragment: no template matches.
/// assert!(Candidate::new("demo://a/b c").is_none() && Candidate::new("demo://a/b#c").is_none());
/// # Ok::<(), grange_uri::TemplateError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Candidate<'u> {
    uri: &'u str,
    /// The places of all `/`, those of the query included.
    slashes: Vec<usize>,
    /// How many of them are before the query.
    path_slashes: usize,
    /// The place of the first `?`.
    query: Option<usize>,
}

impl<'u> Candidate<'u> {
    /// Checks the text of a URI (L1.4). `None` if no template can match it. Nothing is normalised.
    pub fn new(uri: &'u str) -> Option<Self> {
        // The parser, the search for `?`, the search for `/`.
        steps::visit(3 * uri.len());
        UriAbsoluteStr::new(uri).ok()?;
        let query = uri.find('?');
        let slashes: Vec<usize> = uri.match_indices('/').map(|(place, _)| place).collect();
        let path_slashes = slashes.partition_point(|&place| query.is_none_or(|query| place < query));
        Some(Self { uri, slashes, path_slashes, query })
    }

    /// The URI as sent.
    pub fn as_str(&self) -> &'u str {
        self.uri
    }

    /// The segments before the query.
    pub(super) fn path(&self) -> Segments<'_, 'u> {
        let end = self.query.unwrap_or(self.uri.len());
        Segments { text: &self.uri[..end], slashes: &self.slashes[..self.path_slashes] }
    }

    /// The segments of the whole URI: a `/` in the query separates them too.
    pub(super) fn whole(&self) -> Segments<'_, 'u> {
        Segments { text: self.uri, slashes: &self.slashes }
    }

    /// The text after the first `?`.
    pub(super) fn query(&self) -> Option<&'u str> {
        self.query.map(|place| &self.uri[place + 1..])
    }
}

/// The pieces of a text between its `/`.
#[derive(Clone, Copy)]
pub(super) struct Segments<'c, 'u> {
    text: &'u str,
    slashes: &'c [usize],
}

impl<'u> Segments<'_, 'u> {
    pub(super) fn count(self) -> usize {
        self.slashes.len() + 1
    }

    /// The text from one segment to before another, with the `/` between them; empty for an empty range.
    pub(super) fn between(self, from: usize, to: usize) -> &'u str {
        if from >= to {
            return "";
        }
        let start = if from == 0 { 0 } else { self.slashes[from - 1] + 1 };
        let end = self.slashes.get(to - 1).copied().unwrap_or(self.text.len());
        &self.text[start..end]
    }

    pub(super) fn get(self, index: usize) -> &'u str {
        self.between(index, index + 1)
    }
}
