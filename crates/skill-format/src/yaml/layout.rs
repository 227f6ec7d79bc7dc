//! Syntax that hosts read in different ways, for any value. It is found in the text, because the parser's events do not
//! show it.
//!
//! Wrong indentation is an error: npm `yaml` rejects it, as the specification does except for a closing bracket; only
//! the parser used here is lenient. The rest is valid YAML 1.2 that js-yaml 3 or npm `yaml` reads wrongly, so it gives
//! a lint.

use granit_parser::{Marker, ScalarStyle, Span};

use super::nesting::Nesting;
use super::source::{Source, line_of};
use crate::error::{FrontmatterError, FrontmatterFault};
use crate::lint::LintKind;

/// js-yaml 3 applies them to the mapping and then fails.
pub(super) const KEY_PROPERTIES: LintKind = LintKind::Layout {
    found: "an anchor or tag on the first key of a mapping",
    remedy: "leave it out, or put it in front of the value",
};

/// js-yaml 3 reads the following item as part of the inner list.
pub(super) const EMPTY_ITEM: LintKind =
    LintKind::Layout { found: "a list inside another that ends in an empty item", remedy: "write `null`" };

/// js-yaml 3 then reads an alias as an empty list or mapping.
const FAR_ANCHOR: LintKind =
    LintKind::Layout { found: "an anchor that no text follows on the same line", remedy: "write the two on one line" };

/// js-yaml 3 expects the `:` on the line of the key.
const COLON: LintKind =
    LintKind::Layout { found: "a key in braces on another line than its `:`", remedy: "write them on one line" };

/// js-yaml 3 keeps the space before a line break instead of removing it.
const TRAILING_SPACE: LintKind = LintKind::Layout {
    found: "white space at the end of a line inside quotes",
    remedy: "remove it, or write the text with `>`",
};

/// npm `yaml` fails at such a line inside a text.
pub(crate) const TAB: LintKind = LintKind::Layout {
    found: "a tab at the beginning of a line or on a blank one",
    remedy: "remove it, or indent with spaces",
};

/// `|+` or `>+` at the end: hosts cut the text before the fence at different places.
pub(crate) const BREAK_AT_END: LintKind = LintKind::Layout {
    found: "a `|+` or `>+` with a blank line at the end of the frontmatter",
    remedy: "write `|` or `>`, or another key behind it",
};

/// Checks the anchor of a scalar.
pub(super) fn anchor(source: Source<'_>, style: ScalarStyle, span: Span) -> Option<LintKind> {
    // For a text after `|` or `>`, the parser's position is its first line.
    let is_block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
    let is_apart = span.is_empty() || source.is_first(span.start);
    (!is_block && is_apart).then_some(FAR_ANCHOR)
}

/// Checks a key in braces. An empty value begins at the `:`.
pub(super) fn colon(source: Source<'_>, key: Span, value: Span) -> Option<LintKind> {
    let behind = source.between(key.end, value.start);
    let up_to_colon = behind.split(':').next().unwrap_or_default();
    // Without a `:`, the key and the colon cannot be on different lines.
    let has_colon = up_to_colon.len() < behind.len() || source.begins_with(value.start, ':');
    let is_apart = up_to_colon.contains('\n') || source.of(key).contains('\n');
    (has_colon && is_apart).then_some(COLON)
}

/// Checks a quoted text.
pub(super) fn quoted(text: &str) -> Option<LintKind> {
    let (lines, _) = text.rsplit_once('\n')?;
    let is_trailing = |line: &str| {
        let line = line.strip_suffix('\r').unwrap_or(line);
        // All hosts read a blank line as one line break.
        !line.trim().is_empty() && line.ends_with([' ', '\t'])
    };
    lines.split('\n').any(is_trailing).then_some(TRAILING_SPACE)
}

/// Checks the text before a key or list in block style.
pub(super) fn check_tab(source: Source<'_>, start: Marker, nesting: Nesting) -> Result<(), FrontmatterError> {
    if !nesting.in_brackets && source.white_before(start).contains('\t') {
        return Err(FrontmatterError::at(line_of(start), FrontmatterFault::Tab));
    }
    Ok(())
}

/// Checks the indentation of a quoted text or the outermost brackets, which may have several lines.
pub(super) fn check_indent(text: &str, start: Marker, nesting: Nesting) -> Result<(), FrontmatterError> {
    if nesting.in_brackets {
        return Ok(());
    }
    match nesting.indent.and_then(|indent| under_indented(text, indent)) {
        Some(lines) => Err(FrontmatterError::at(line_of(start) + lines, FrontmatterFault::Indentation)),
        None => Ok(()),
    }
}

/// The first line, counted from the start of the text, that is not indented by more than `indent`. The last line may
/// have a closing bracket there.
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

/// Checks the text before the document for what the parser ignores and hosts do not: a line `...`, a byte order mark.
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
