//! Finds the fences, and the frontmatter between them in a SKILL.md.
//!
//! The rule is the pattern of the reference implementation, `^---\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|$)` after an optional
//! byte order mark, with one difference: **the block ends with a line break**, if necessary the one before the fence.
//! Otherwise a `|` or `>` at the end of the frontmatter loses its last line feed in some YAML parsers and keeps it in
//! others.

use crate::error::{FrontmatterError, FrontmatterFault};
use crate::lint::{Lint, LintKind};
use crate::yaml::TAB;

const FENCE: &str = "---";

/// The text between the fences.
pub(super) struct Block<'a> {
    /// The text to parse.
    pub(super) text: &'a str,
    /// The text with and without all blank lines at its end, if there are any: each host cuts somewhere between the
    /// two.
    pub(super) cuts: Option<[&'a str; 2]>,
}

/// Finds the block.
pub(super) fn block(text: &str) -> Result<Block<'_>, FrontmatterError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let rest = behind_opening(text).map_err(|fault| FrontmatterError::at(1, fault))?;
    let mut length = 0;
    for (index, line) in rest.split_inclusive('\n').enumerate() {
        if is_closing(line) {
            return Ok(with_one_break(&rest[..length]));
        }
        if line.strip_suffix('\n').map_or(line, without_return).contains('\r') {
            return Err(FrontmatterError::at(index + 2, FrontmatterFault::LoneReturn));
        }
        length += line.len();
    }
    Err(FrontmatterError::at(1, FrontmatterFault::Unterminated))
}

/// The text after the first line, which must be a fence.
fn behind_opening(text: &str) -> Result<&str, FrontmatterFault> {
    let Some((first, rest)) = text.split_once('\n') else {
        return Err(if text == FENCE { FrontmatterFault::Unterminated } else { FrontmatterFault::NoFence });
    };
    if without_return(first) == FENCE {
        return Ok(rest);
    }
    let has_more = first.strip_prefix(FENCE).is_some_and(|more| !more.starts_with('-'));
    Err(if has_more { FrontmatterFault::OpeningFence } else { FrontmatterFault::NoFence })
}

/// A blank last line is not part of the block: its break belongs to the fence, and the line before has its own.
fn with_one_break(lines: &str) -> Block<'_> {
    let captured = lines.strip_suffix('\n').map_or(lines, without_return);
    let text = if captured.ends_with('\n') { captured } else { lines };
    let content = lines.trim_end().len();
    let first_break = lines[content..].find('\n').map_or(lines.len(), |at| content + at + 1);
    let cuts = (first_break < lines.len()).then(|| [lines, &lines[..first_break]]);
    Block { text, cuts }
}

/// The lints about whole lines. For gray-matter, any line that begins with `---` is the closing fence.
pub(super) fn lints(block: &str) -> impl Iterator<Item = Lint> {
    block.split('\n').enumerate().filter_map(|(index, line)| {
        let is_blank = line.trim().is_empty();
        let kind = match line {
            _ if line.starts_with(FENCE) => LintKind::Fence,
            _ if line.starts_with('\t') || is_blank && line.contains('\t') => TAB,
            _ => return None,
        };
        let value = without_return(line).to_owned();
        Some(Lint { field: String::new(), value, line: Some(index + 2), kind })
    })
}

fn is_closing(line: &str) -> bool {
    let line = line.strip_suffix('\n').map_or(line, without_return);
    line.strip_prefix(FENCE).is_some_and(|rest| rest.bytes().all(|byte| matches!(byte, b' ' | b'\t')))
}

fn without_return(line: &str) -> &str {
    line.strip_suffix('\r').unwrap_or(line)
}
