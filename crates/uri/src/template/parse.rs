//! Parses a template: from text to segments.

use super::error::TemplateError;
use super::pattern::{Part, Segment, Template, UnknownQuery};
use super::pieces::{Piece, split};
use super::variable::Variable;
use super::{fill, pieces};
use crate::uri::check_resource;

impl Template {
    /// Parses a template, and checks it as [`check_resource`] checks a fixed URI.
    ///
    /// ```
    /// use grange_uri::Template;
    ///
    /// assert_eq!(Template::parse("repo://{name}{/path*}{?rev}")?.as_str(), "repo://{name}{/path*}{?rev}");
    ///
    /// let problem = |text| Template::parse(text).unwrap_err().to_string();
    /// assert_eq!(problem("demo://{a}{b}"), "has nothing between `{a}` and `{b}`: write a literal, as in `{a}/{b}`");
    /// assert_eq!(problem("demo://a b/{c}"), "has a space: write `demo://a%20b/{c}`");
    /// # Ok::<(), grange_uri::TemplateError>(())
    /// ```
    ///
    /// # Errors
    /// The first problem.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        if text.trim().is_empty() {
            return Err(TemplateError::Empty);
        }
        let pieces = split(text)?;
        if pieces::expressions(&pieces).next().is_none() {
            check_resource(text).map_err(|error| TemplateError::Uri { problem: error.to_string() })?;
            return Err(TemplateError::NoVariable);
        }
        fill::check(text, &pieces)?;
        Ok(pieces.iter().fold(Self::empty(text), Self::add))
    }

    fn empty(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            prefix: text.split('{').next().unwrap_or_default().to_owned(),
            variables: Vec::new(),
            head: vec![Segment::default()],
            several: None,
            tail: Vec::new(),
            has_literal_query: false,
            unknown_query: UnknownQuery::default(),
        }
    }

    fn add(mut self, piece: &Piece<'_>) -> Self {
        match piece {
            Piece::Literal(text) => self.add_literal(text),
            Piece::Expression(expression) => {
                let variable = self.variables.len();
                self.variables.extend(expression.names.iter().map(|name| Variable::new(name, expression.kind)));
                if expression.is_several() {
                    self.several = Some(variable);
                    // `{+v}` is the segment that the `/` before it began.
                    if !expression.text.starts_with("{/") {
                        self.head.pop();
                    }
                } else if !expression.is_query()
                    && let Some(segment) = self.segments().last_mut()
                {
                    segment.parts.push(Part { variable, then: String::new() });
                }
            }
        }
        self
    }

    /// The segments that still grow.
    fn segments(&mut self) -> &mut Vec<Segment> {
        if self.several.is_some() { &mut self.tail } else { &mut self.head }
    }

    fn add_literal(&mut self, text: &str) {
        self.has_literal_query |= text.contains('?');
        let segments = self.segments();
        for (place, literal) in text.split('/').enumerate() {
            if place > 0 {
                segments.push(Segment::default());
            }
            if let Some(segment) = segments.last_mut() {
                segment.end_mut().push_str(literal);
            }
        }
    }
}

impl Segment {
    /// The last literal.
    fn end_mut(&mut self) -> &mut String {
        match self.parts.last_mut() {
            Some(part) => &mut part.then,
            None => &mut self.start,
        }
    }
}
