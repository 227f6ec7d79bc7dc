//! Ways of writing that hosts disagree on, whatever the values: found in the text, since the parser's events do not show
//! them.
//!
//! Indentation is an error here: npm `yaml` refuses it, as the specification does but for a closing bracket, and only the
//! parser below is lenient. The rest is right by YAML 1.2 and read wrongly by js-yaml 3 or npm `yaml`, so it gives a lint.

use granit_parser::{Marker, ScalarStyle, Span};

use super::place::Place;
use super::source::{Source, line_of};
use crate::error::{FrontmatterError, FrontmatterFault};
use crate::lint::LintKind;

/// js-yaml 3 takes them for those of the mapping, and then stops.
pub(super) const KEY_PROPERTIES: LintKind = LintKind::Layout {
    found: "an anchor or tag on the first key of a mapping",
    remedy: "leave it out, or put it in front of the value",
};

/// js-yaml 3 takes what follows into the inner list.
pub(super) const EMPTY_ITEM: LintKind =
    LintKind::Layout { found: "a list inside another that ends in an empty item", remedy: "write `null`" };

/// js-yaml 3 then takes an alias for an empty list or mapping.
const FAR_ANCHOR: LintKind =
    LintKind::Layout { found: "an anchor that no text follows on the same line", remedy: "write the two on one line" };

/// js-yaml 3 looks for the `:` behind the key.
const COLON: LintKind =
    LintKind::Layout { found: "a key in braces on another line than its `:`", remedy: "write them on one line" };

/// js-yaml 3 keeps what is to be dropped in front of a line break.
const TRAILING_SPACE: LintKind = LintKind::Layout {
    found: "white space at the end of a line inside quotes",
    remedy: "remove it, or write the text with `>`",
};

/// npm `yaml` stops at such a line inside a text.
pub(crate) const TAB: LintKind = LintKind::Layout {
    found: "a tab at the beginning of a line or on a blank one",
    remedy: "remove it, or indent with spaces",
};

/// `|+` or `>+` at the very end: hosts cut at different places what stands in front of the fence.
pub(crate) const BREAK_AT_END: LintKind = LintKind::Layout {
    found: "a `|+` or `>+` with a blank line at the end of the frontmatter",
    remedy: "write `|` or `>`, or another key behind it",
};

/// Looks at the anchor of a scalar.
pub(super) fn anchor(source: Source<'_>, style: ScalarStyle, span: Span) -> Option<LintKind> {
    // The parser's place of a text after `|` or `>` is its first line.
    let is_block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
    let is_apart = span.is_empty() || source.is_first(span.start);
    (!is_block && is_apart).then_some(FAR_ANCHOR)
}

/// Looks at a key in braces; an empty value begins at the `:`.
pub(super) fn colon(source: Source<'_>, key: Span, value: Span) -> Option<LintKind> {
    let behind = source.between(key.end, value.start);
    let up_to_colon = behind.split(':').next().unwrap_or_default();
    // Without a `:` there is nothing to be apart from.
    let has_colon = up_to_colon.len() < behind.len() || source.begins_with(value.start, ':');
    let is_apart = up_to_colon.contains('\n') || source.of(key).contains('\n');
    (has_colon && is_apart).then_some(COLON)
}

/// Looks at a text in quotes.
pub(super) fn quoted(text: &str) -> Option<LintKind> {
    let (lines, _) = text.rsplit_once('\n')?;
    let is_trailing = |line: &str| {
        let line = line.strip_suffix('\r').unwrap_or(line);
        // A blank line is one break to everybody.
        !line.trim().is_empty() && line.ends_with([' ', '\t'])
    };
    lines.split('\n').any(is_trailing).then_some(TRAILING_SPACE)
}

/// Checks what stands in front of a key or list in block style.
pub(super) fn check_tab(source: Source<'_>, start: Marker, place: Place) -> Result<(), FrontmatterError> {
    if !place.in_brackets && source.white_before(start).contains('\t') {
        return Err(FrontmatterError::at(line_of(start), FrontmatterFault::Tab));
    }
    Ok(())
}

/// Checks a text in quotes or the outermost brackets that may go over several lines.
pub(super) fn check_indent(text: &str, start: Marker, place: Place) -> Result<(), FrontmatterError> {
    if place.in_brackets {
        return Ok(());
    }
    match place.indent.and_then(|indent| under_indented(text, indent)) {
        Some(lines) => Err(FrontmatterError::at(line_of(start) + lines, FrontmatterFault::Indentation)),
        None => Ok(()),
    }
}

/// The first line, counted from where the text begins, that is not indented by more than `indent`; the last may hold a
/// closing bracket there.
fn under_indented(text: &str, indent: usize) -> Option<usize> {
    let in_brackets = text.starts_with(['[', '{']);
    let last = text.matches('\n').count();
    let is_under = |&(index, line): &(usize, &str)| {
        let content = line.trim_start_matches(' ');
        let column = line.len() - content.len();
        let is_blank = content.trim().is_empty() || (in_brackets && content.starts_with('#'));
        let closes = in_brackets && index == last && content.starts_with([']', '}']);
        !is_blank && column <= indent && !(closes && column == indent)
    };
    text.split('\n').enumerate().skip(1).find(is_under).map(|(index, _)| index)
}

/// Checks what the parser passes over in front of the document, and hosts do not: a line `...`, a byte order mark.
pub(super) fn check_before(source: Source<'_>, start: Marker) -> Result<(), FrontmatterError> {
    for (index, line) in source.before(start).split('\n').enumerate() {
        let error = |fault| Err(FrontmatterError::at(index + 2, fault));
        if line.starts_with("...") {
            return error(FrontmatterFault::Documents);
        }
        if line.contains('\u{feff}') {
            return error(FrontmatterFault::ByteOrderMark);
        }
    }
    Ok(())
}
