//! Compares two templates: whether they have one shape, and whether one leaves nothing to the other.

use super::pattern::{Segment, Template, UnknownQuery};
use super::variable::VariableKind;

impl Template {
    /// Whether both match the same URIs for a reader of their texts: only the names of the variables differ, or the
    /// order of the query names.
    ///
    /// ```
    /// use grange_uri::Template;
    ///
    /// let [id, name] = ["demo://items/{id}", "demo://items/{name}"].map(Template::parse);
    /// assert!(id?.same_shape(&name?));
    /// # Ok::<(), grange_uri::TemplateError>(())
    /// ```
    pub fn same_shape(&self, other: &Self) -> bool {
        let is_same = |ours: &[Segment], theirs: &[Segment]| {
            ours.len() == theirs.len()
                && ours.iter().zip(theirs).all(|(ours, theirs)| ours.literals().eq(theirs.literals()))
        };
        self.several_kind() == other.several_kind()
            && is_same(&self.head, &other.head)
            && is_same(&self.tail, &other.tail)
            && self.query().count() == other.query().count()
            && other.has_query_names_of(self)
    }

    /// Whether this template, if it is asked first, takes every URI of the other, as far as single segments show it:
    /// `{v}` covers any one, `{+v}` one or more, `{/v*}` any number.
    ///
    /// ```
    /// use grange_uri::Template;
    ///
    /// let [all, one] = ["demo://files/{+path}", "demo://files/{dir}/{name}.md"].map(Template::parse);
    /// let (all, one) = (all?, one?);
    /// assert!(all.covers(&one) && !one.covers(&all));
    /// # Ok::<(), grange_uri::TemplateError>(())
    /// ```
    pub fn covers(&self, other: &Self) -> bool {
        // A `{+v}` or `{/v*}` of the other may stand for any number of segments. This template treats all larger numbers as this one.
        let most = self.head.len() + self.tail.len() + 1;
        let numbers = match other.several_kind() {
            None => 0..=0,
            Some(VariableKind::Path) => 1..=most.max(2),
            Some(_) => 0..=most.max(1),
        };
        self.has_literal_query == other.has_literal_query
            && self.covers_query(other)
            && numbers.into_iter().all(|number| self.covers_segments(&other.shapes(number)))
    }

    fn several_kind(&self) -> Option<VariableKind> {
        self.several.map(|place| self.variables[place].kind())
    }

    /// The segments of a URI, with so many for `{+v}` or `{/v*}`.
    fn shapes(&self, several: usize) -> Vec<Shape<'_>> {
        let any = std::iter::repeat_n(Shape::Any, several);
        self.head.iter().map(Shape::Segment).chain(any).chain(self.tail.iter().map(Shape::Segment)).collect()
    }

    fn covers_segments(&self, shapes: &[Shape<'_>]) -> bool {
        let (fewest, is_open) = self.segment_count();
        if shapes.len() < fewest || shapes.len() > fewest && !is_open {
            return false;
        }
        let (head, rest) = shapes.split_at(self.head.len());
        let (middle, tail) = rest.split_at(rest.len() - self.tail.len());
        let fixed = self.head.iter().zip(head).chain(self.tail.iter().zip(tail));
        fixed.into_iter().all(|(segment, shape)| shape.is_covered_by(segment))
            && !middle.iter().any(|shape| shape.has_query())
    }

    fn covers_query(&self, other: &Self) -> bool {
        match (self.unknown_query, other.unknown_query) {
            _ if self.has_literal_query => true,
            (UnknownQuery::Ignore, _) => true,
            (UnknownQuery::Reject, UnknownQuery::Ignore) => false,
            (UnknownQuery::Reject, UnknownQuery::Reject) => self.has_query_names_of(other),
        }
    }

    fn has_query_names_of(&self, other: &Self) -> bool {
        let has = |name: &str| self.query().any(|(_, variable)| variable.name() == name);
        other.query().all(|(_, variable)| has(variable.name()))
    }
}

/// One segment of the URIs of the covered template.
#[derive(Clone, Copy)]
enum Shape<'t> {
    /// One of those that `{+v}` or `{/v*}` takes.
    Any,
    Segment(&'t Segment),
}

impl Shape<'_> {
    fn is_covered_by(self, segment: &Segment) -> bool {
        match self {
            Self::Any => segment.is_variable(),
            Self::Segment(other) if segment.is_variable() => !other.is_empty() && !self.has_query(),
            Self::Segment(other) => segment.literals().eq(other.literals()),
        }
    }

    /// Whether a literal has the `?`, which no variable takes.
    fn has_query(self) -> bool {
        matches!(self, Self::Segment(segment) if segment.literals().any(|literal| literal.contains('?')))
    }
}

impl Segment {
    /// Whether it is `{v}` and nothing else.
    fn is_variable(&self) -> bool {
        self.parts.len() == 1 && self.literals().all(str::is_empty)
    }

    fn is_empty(&self) -> bool {
        self.parts.is_empty() && self.start.is_empty()
    }
}
