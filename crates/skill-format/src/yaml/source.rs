//! The text behind the events: what stands at a place, and in front of it.
//!
//! Each look is bounded by what it looks for, so that many of them on one long line stay cheap.

use granit_parser::{Marker, Span};

/// The text that the parser reads.
#[derive(Clone, Copy)]
pub(super) struct Source<'a>(pub(super) &'a str);

impl<'a> Source<'a> {
    pub(super) fn between(self, start: Marker, end: Marker) -> &'a str {
        let start = start.byte_offset().unwrap_or_default();
        end.byte_offset().and_then(|end| self.0.get(start..end)).unwrap_or_default()
    }

    pub(super) fn of(self, span: Span) -> &'a str {
        self.between(span.start, span.end)
    }

    pub(super) fn before(self, place: Marker) -> &'a str {
        self.between(Marker::default(), place)
    }

    pub(super) fn begins_with(self, place: Marker, character: char) -> bool {
        self.0.get(self.before(place).len()..).is_some_and(|rest| rest.starts_with(character))
    }

    /// The white space right in front of a place.
    pub(super) fn white_before(self, place: Marker) -> &'a str {
        let before = self.before(place);
        &before[before.trim_end_matches([' ', '\t']).len()..]
    }

    /// Whether only white space stands in front of a place on its line.
    pub(super) fn is_first(self, place: Marker) -> bool {
        let before = self.before(place).trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with('\n')
    }
}

/// The line of the file: the opening fence is its first.
pub(super) fn line_of(place: Marker) -> usize {
    place.line() + 1
}
