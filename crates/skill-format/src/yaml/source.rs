//! The source text at and before a position of the parser.
//!
//! Each access reads only as far as needed, so that many of them on one long line are cheap.

use granit_parser::{Marker, Span};

/// The text of the parser.
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

    pub(super) fn before(self, nesting: Marker) -> &'a str {
        self.between(Marker::default(), nesting)
    }

    pub(super) fn begins_with(self, nesting: Marker, character: char) -> bool {
        self.0.get(self.before(nesting).len()..).is_some_and(|rest| rest.starts_with(character))
    }

    /// The white space directly before a position.
    pub(super) fn white_before(self, nesting: Marker) -> &'a str {
        let before = self.before(nesting);
        &before[before.trim_end_matches([' ', '\t']).len()..]
    }

    /// Whether only white space precedes a position on its line.
    pub(super) fn is_first(self, nesting: Marker) -> bool {
        let before = self.before(nesting).trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with('\n')
    }
}

/// The line of the file; the opening fence is line 1.
pub(super) fn line_of(nesting: Marker) -> usize {
    nesting.line() + 1
}
