//! The context of a node: its depth, and the required indentation of its lines.

use granit_parser::{Marker, StructureStyle};

use super::source::Source;

/// The context of a node; the default is the top level.
#[derive(Clone, Copy, Default)]
pub(super) struct Nesting {
    /// The number of lists and mappings around it.
    pub(super) depth: usize,
    /// How many of them are lists.
    pub(super) lists: usize,
    /// The column of the innermost one that is not in brackets.
    pub(super) indent: Option<usize>,
    /// Whether that one is a mapping.
    is_mapping: bool,
    /// Whether one of them is in brackets.
    pub(super) in_brackets: bool,
}

impl Nesting {
    /// The context inside a list that begins here.
    pub(super) fn inside_list(self, style: StructureStyle, start: Marker, source: Source<'_>) -> Self {
        let indent = if style == StructureStyle::Block { self.indent_of_list(start, source) } else { 0 };
        Self { lists: self.lists + 1, is_mapping: false, ..self.inside(style, indent) }
    }

    /// The context inside a mapping that begins here.
    pub(super) fn inside_mapping(self, style: StructureStyle, start: Marker) -> Self {
        Self { is_mapping: true, ..self.inside(style, start.col()) }
    }

    fn inside(self, style: StructureStyle, indent: usize) -> Self {
        let in_brackets = self.in_brackets || style == StructureStyle::Flow;
        let indent = if in_brackets { self.indent } else { Some(indent) };
        Self { depth: self.depth + 1, indent, in_brackets, ..self }
    }

    /// If the `-` of a list is directly below its key, the parser returns the position after it.
    fn indent_of_list(self, start: Marker, source: Source<'_>) -> usize {
        let line = source.before(start).rsplit('\n').next().unwrap_or_default();
        match self.indent.filter(|_| self.is_mapping) {
            Some(indent) if line.chars().nth(indent) == Some('-') => indent,
            _ => start.col(),
        }
    }
}
