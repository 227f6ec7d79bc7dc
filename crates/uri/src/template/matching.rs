//! Matches a URI against a template. Each part of the URI is looked at once for each template: no backtracking.

use super::candidate::{Candidate, Segments};
use super::pattern::{Segment, Template, UnknownQuery};
use super::percent::{cuts_escape, decode};
use super::steps;
use super::value::{Value, Values};
use super::variable::{Variable, VariableKind, check_segment};

/// The outcome of matching one URI against one template.
#[derive(Clone, Debug, Eq, PartialEq)]
#[must_use]
pub enum Match {
    /// The text does not match: the next template is asked.
    No,
    /// The text matches, but a value is not UTF-8 or not safe: the resource is unknown, and no other template is asked.
    Unknown,
    /// The text matches: the decoded values.
    Values(Values),
}

/// The text of each variable, by its place; `None` is absent, and `{/v*}` with no segment.
type Captures<'u> = Vec<Option<&'u str>>;

impl Template {
    /// Matches a URI as a client sent it (L1.4 to L1.8). To ask many templates, make one [`Candidate`].
    ///
    /// ```
    /// use grange_uri::{Match, Template, Value};
    ///
    /// let template = Template::parse("repo://{name}{/path*}")?;
    /// let Match::Values(values) = template.matches("repo://grange/src/a%20b") else { unreachable!() };
    /// assert_eq!(values.text("name"), Some("grange"));
    /// assert_eq!(values.get("path"), Some(&Value::from(vec!["src".to_owned(), "a b".to_owned()])));
    ///
    /// assert_eq!(template.matches("other://grange"), Match::No);
    /// assert_eq!(template.matches("repo://grange/a%2Fb"), Match::Unknown);
    /// # Ok::<(), grange_uri::TemplateError>(())
    /// ```
    pub fn matches(&self, uri: &str) -> Match {
        if !uri.starts_with(&self.prefix) {
            return Match::No;
        }
        Candidate::new(uri).map_or(Match::No, |candidate| self.matches_candidate(&candidate))
    }

    /// Matches a URI that was checked and split before.
    pub fn matches_candidate(&self, candidate: &Candidate<'_>) -> Match {
        match self.capture(candidate) {
            None => Match::No,
            Some(captures) => self.decode(&captures).map_or(Match::Unknown, Match::Values),
        }
    }

    /// The text of each variable, if the URI's text matches (L1.4 to L1.6).
    fn capture<'u>(&self, candidate: &Candidate<'u>) -> Option<Captures<'u>> {
        if !candidate.as_str().starts_with(&self.prefix) {
            return None;
        }
        let segments = if self.has_literal_query { candidate.whole() } else { candidate.path() };
        let (fewest, is_open) = self.segment_count();
        let count = segments.count();
        if count < fewest || count > fewest && !is_open {
            return None;
        }
        let mut captures = vec![None; self.variables.len()];
        self.capture_segments(segments, &mut captures)?;
        if !self.has_literal_query {
            self.capture_query(candidate.query(), &mut captures)?;
        }
        Some(captures)
    }

    fn capture_segments<'u>(&self, segments: Segments<'_, 'u>, captures: &mut Captures<'u>) -> Option<()> {
        let tail_start = segments.count() - self.tail.len();
        let tail = self.tail.iter().zip(tail_start..);
        for (segment, place) in self.head.iter().zip(0..).chain(tail) {
            capture_segment(segment, segments.get(place), captures)?;
        }
        if let Some(variable) = self.several {
            let text = segments.between(self.head.len(), tail_start);
            captures[variable] = (self.head.len() < tail_start).then_some(text);
            steps::visit(text.len());
            // A `/` of a literal query separates segments too, so this text may reach into the query.
            if text.contains('?') {
                return None;
            }
        }
        Some(())
    }

    fn capture_query<'u>(&self, query: Option<&'u str>, captures: &mut Captures<'u>) -> Option<()> {
        steps::visit(query.map_or(0, str::len));
        for pair in query.into_iter().flat_map(|query| query.split('&')) {
            let (name, value) = pair.split_once('=')?;
            match self.query().find(|(_, variable)| variable.name() == name) {
                Some((place, _)) if captures[place].is_none() => captures[place] = Some(value),
                Some(_) => return None,
                None if self.unknown_query == UnknownQuery::Reject || name.is_empty() || name.contains('%') => {
                    return None;
                }
                None => {}
            }
        }
        Some(())
    }

    /// The decoded values, if each of them is UTF-8 and safe (L1.7, L1.8).
    fn decode(&self, captures: &Captures<'_>) -> Option<Values> {
        let mut values = Values::new();
        for (variable, text) in self.variables.iter().zip(captures) {
            let is_absent = text.is_none() && variable.kind() == VariableKind::Query;
            if !is_absent {
                values.insert(variable.shared_name(), decode_value(variable, *text)?);
            }
        }
        Some(values)
    }
}

/// Each variable but the last ends at the first occurrence of the literal that follows it; the last at the literal that
/// ends the segment (L1.5).
fn capture_segment<'u>(segment: &Segment, text: &'u str, captures: &mut Captures<'u>) -> Option<()> {
    let mut rest = text.strip_prefix(&*segment.start)?;
    let Some((last, parts)) = segment.parts.split_last() else { return rest.is_empty().then_some(()) };
    for part in parts {
        let end = find_literal(rest, &part.then)?;
        captures[part.variable] = Some(capture_text(&rest[..end])?);
        rest = &rest[end + part.then.len()..];
    }
    captures[last.variable] = Some(capture_text(rest.strip_suffix(&*last.then)?)?);
    Some(())
}

/// The place of a literal in valid URI text. It does not begin inside an escape: `2` is not in `%20`.
fn find_literal(text: &str, literal: &str) -> Option<usize> {
    let mut start = 0;
    loop {
        let rest = text.get(start..)?;
        let found = rest.find(literal);
        steps::visit(found.map_or(rest.len(), |place| place + literal.len()));
        let place = start + found?;
        if !cuts_escape(&text[..place]) {
            return Some(place);
        }
        start = place + 1;
    }
}

/// The text of a variable in a segment: not empty, not into a query, and not up to the middle of an escape.
fn capture_text(text: &str) -> Option<&str> {
    steps::visit(text.len());
    (!text.is_empty() && !text.contains('?') && !cuts_escape(text)).then_some(text)
}

/// The decoded value, if it is UTF-8 and safe. It is split before it is decoded.
fn decode_value(variable: &Variable, text: Option<&str>) -> Option<Value> {
    let segment = |text: &str| decode(text).filter(|text| check_segment(text).is_ok());
    let segments = || text.into_iter().flat_map(|text| text.split('/')).map(segment).collect::<Option<Vec<_>>>();
    match variable.kind() {
        VariableKind::Exploded => segments().map(Value::Segments),
        VariableKind::Path => Some(Value::Text(segments()?.join("/"))),
        VariableKind::Segment => segment(text?).map(Value::Text),
        VariableKind::Query => decode(text?).filter(|value| variable.check(value).is_ok()).map(Value::Text),
    }
}
