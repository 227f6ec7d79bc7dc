//! The fences: which part of a SKILL.md is its frontmatter.
//!
//! The rule is the reference's pattern, `^---\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|$)` behind one optional byte order mark, with
//! one difference: **the block ends with a line break**, the one before the fence if it has no other. Without it, a `|` or
//! `>` that ends the frontmatter loses its final line feed with some YAML parsers and keeps it with others.

use crate::error::{FrontmatterError, FrontmatterFault};
use crate::lint::{Lint, LintKind};
use crate::yaml::TAB;

const FENCE: &str = "---";

/// What stands between the fences.
pub(super) struct Block<'a> {
    /// As it is to be read.
    pub(super) text: &'a str,
    /// With and without all blank lines at its end, where there are any: hosts cut somewhere between.
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

/// What follows the first line, which must be a fence.
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

/// A blank last line is no part of the block: its break belongs to the fence, and the line before has one of its own.
fn with_one_break(lines: &str) -> Block<'_> {
    let captured = lines.strip_suffix('\n').map_or(lines, without_return);
    let text = if captured.ends_with('\n') { captured } else { lines };
    let content = lines.trim_end().len();
    let first_break = lines[content..].find('\n').map_or(lines.len(), |at| content + at + 1);
    let cuts = (first_break < lines.len()).then(|| [lines, &lines[..first_break]]);
    Block { text, cuts }
}

/// What is to be said of whole lines. One that begins with `---` is the closing fence to gray-matter, whatever follows.
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
