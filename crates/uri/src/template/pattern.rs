//! A parsed template: its text, its variables, and its segments.

use super::variable::{Variable, VariableKind};

/// A URI template: a URI with variables, which matches many URIs.
///
/// | form | value | as in |
/// |---|---|---|
/// | `{v}` | one segment, or a piece of one | `orders://{id}`, `docs://{name}.md` |
/// | `{+v}` | one or more segments, after a `/` | `files://root/{+path}` |
/// | `{/v*}` | any number of segments, with their `/` | `repo://{name}{/path*}` |
/// | `{?a,b}` | pairs of the query, each optional, at the end | `shop://search{?q,limit}` |
///
/// ```
/// use grange_uri::{Match, Template, Values};
///
/// let template = Template::parse("orders://{id}{?page}")?;
/// assert_eq!(template.matches("orders://a%20b"), Match::Values(Values::new().with("id", "a b")));
/// assert_eq!(template.matches("orders://7/items"), Match::No);
/// assert_eq!(template.matches("orders://%2e%2e"), Match::Unknown);
///
/// let values = Values::new().with("id", "a b").with("page", "2");
/// assert_eq!(template.expand(&values).as_deref(), Ok("orders://a%20b?page=2"));
/// # Ok::<(), grange_uri::TemplateError>(())
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Template {
    pub(super) text: String,
    /// The literal before the first variable: a URI that does not begin with it is not matched.
    pub(super) prefix: String,
    pub(super) variables: Vec<Variable>,
    /// The segments before `several`, or all. There is at least one, with the scheme.
    pub(super) head: Vec<Segment>,
    /// The `{+v}` or `{/v*}`, as its place in `variables`.
    pub(super) several: Option<usize>,
    /// The segments after `several`.
    pub(super) tail: Vec<Segment>,
    /// Whether a literal has a `?`. Then the segments go on in the query.
    pub(super) has_literal_query: bool,
    pub(super) unknown_query: UnknownQuery,
}

/// One segment: a literal, then variables, each with the literal that follows it.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Segment {
    pub(super) start: String,
    pub(super) parts: Vec<Part>,
}

#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Part {
    /// The place in `Template::variables`.
    pub(super) variable: usize,
    pub(super) then: String,
}

/// What a query name that the template does not have means.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum UnknownQuery {
    /// The URI does not match.
    #[default]
    Reject,
    /// The pair is ignored, however often the name occurs.
    Ignore,
}

impl Template {
    /// The template as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The variables, in the order in which they are written.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Sets what an unknown query name means. No effect on a template with a literal `?`.
    ///
    /// ```
    /// use grange_uri::{Match, Template, UnknownQuery, Values};
    ///
    /// let template = Template::parse("shop://search{?q}")?;
    /// assert_eq!(template.matches("shop://search?from=mail&q=a"), Match::No);
    /// let lenient = template.unknown_query(UnknownQuery::Ignore);
    /// assert_eq!(lenient.matches("shop://search?from=mail&q=a"), Match::Values(Values::new().with("q", "a")));
    /// # Ok::<(), grange_uri::TemplateError>(())
    /// ```
    #[must_use]
    pub fn unknown_query(mut self, unknown_query: UnknownQuery) -> Self {
        self.unknown_query = unknown_query;
        self
    }

    /// The query variables of `{?…}`, with their places in `variables`.
    pub(super) fn query(&self) -> impl Iterator<Item = (usize, &Variable)> {
        self.variables.iter().enumerate().filter(|(_, variable)| variable.kind() == VariableKind::Query)
    }

    /// The fewest segments of a URI that matches, and whether it may have more.
    pub(super) fn segment_count(&self) -> (usize, bool) {
        let fixed = self.head.len() + self.tail.len();
        match self.several.map(|place| self.variables[place].kind()) {
            None => (fixed, false),
            Some(VariableKind::Path) => (fixed + 1, true),
            Some(_) => (fixed, true),
        }
    }
}

impl Segment {
    /// The literals, in order.
    pub(super) fn literals(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&*self.start).chain(self.parts.iter().map(|part| &*part.then))
    }
}
