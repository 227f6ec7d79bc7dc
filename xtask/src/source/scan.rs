//! The scanner behind [`super::Source`]: comments, strings, braces. Blanking keeps every line break and every offset.

use std::ops::Range;

use super::Function;

/// What becomes of the contents of string literals.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Strings {
    Blank,
    Keep,
}

/// An item below `#[cfg(test)]`: from the attribute to its end, and its name if it is a module in a file of its own.
#[derive(Debug)]
pub(super) struct TestItem {
    pub(super) range: Range<usize>,
    pub(super) module: Option<String>,
}

/// The text with comments, and perhaps string contents, replaced by spaces.
pub(super) fn blank(text: &str, strings: Strings) -> String {
    let mut out = text.as_bytes().to_vec();
    let mut at = 0;
    while at < text.len() {
        let (kind, length) = token(&text[at..]);
        let range = at..at + length;
        match kind {
            Kind::Comment => erase(&mut out, range),
            Kind::Text if strings == Strings::Blank => erase(&mut out, at + 1..at + length.max(2) - 1),
            Kind::Text | Kind::Code => {}
        }
        at += length;
    }
    String::from_utf8(out).expect("only whole characters are replaced")
}

/// Replaces all but line breaks by spaces, byte for byte.
pub(super) fn erase(text: &mut [u8], range: Range<usize>) {
    for byte in text[range].iter_mut().filter(|byte| **byte != b'\n') {
        *byte = b' ';
    }
}

/// The text with these ranges replaced by spaces.
pub(super) fn without(text: &str, items: &[TestItem]) -> String {
    let mut out = text.as_bytes().to_vec();
    for item in items {
        erase(&mut out, item.range.clone());
    }
    String::from_utf8(out).expect("only whole characters are replaced")
}

enum Kind {
    Code,
    Comment,
    Text,
}

/// What stands at the beginning of `rest`, and its length in bytes. Code comes a name or a character at a time.
fn token(rest: &str) -> (Kind, usize) {
    if rest.starts_with("//") {
        return (Kind::Comment, rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return (Kind::Comment, block_comment(rest));
    }
    if let Some(length) = raw_string(rest) {
        return (Kind::Text, length);
    }
    if rest.starts_with('"') {
        return (Kind::Text, quoted(rest));
    }
    if let Some(length) = character(rest) {
        return (Kind::Text, length);
    }
    let name = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    let prefix = ["b", "c"].contains(&&rest[..name]) && rest[name..].starts_with('"');
    let first = rest.chars().next().map_or(1, char::len_utf8);
    (Kind::Code, if prefix { 1 } else { name.max(first) })
}

/// Block comments nest.
fn block_comment(rest: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                break;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    at
}

fn raw_string(rest: &str) -> Option<usize> {
    let body = ["r", "br", "cr"].iter().find_map(|prefix| rest.strip_prefix(prefix))?;
    let hashes = body.bytes().take_while(|byte| *byte == b'#').count();
    let inside = body[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = inside.find(&end).map_or(inside.len(), |at| at + end.len());
    Some(rest.len() - inside.len() + length)
}

fn quoted(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// A character literal, not a lifetime.
fn character(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('\'')?;
    if let Some(escape) = inside.strip_prefix('\\') {
        // The escaped character may itself be a quote.
        let end = escape.char_indices().skip(1).find(|(_, c)| *c == '\'')?.0;
        return Some(end + 3);
    }
    let length = inside.chars().next()?.len_utf8();
    inside[length..].starts_with('\'').then_some(length + 2)
}

/// The items of `code` (blanked) that are compiled for tests only.
pub(super) fn test_items(code: &str) -> Vec<TestItem> {
    const ATTRIBUTE: &str = "#[cfg(test)]";
    let mut items: Vec<TestItem> = Vec::new();
    for (start, _) in code.match_indices(ATTRIBUTE) {
        if items.last().is_some_and(|last| last.range.contains(&start)) {
            continue;
        }
        let Some(first) = code[start..].find(['{', ';']).map(|at| start + at) else { continue };
        let item = if code[first..].starts_with('{') {
            TestItem { range: start..block_end(code, first), module: None }
        } else {
            let words = code[start + ATTRIBUTE.len()..first].split_whitespace();
            TestItem { range: start..first + 1, module: words.last().map(str::to_owned) }
        };
        items.push(item);
    }
    items
}

/// Behind the brace that closes the one at `open`.
fn block_end(code: &str, open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in code.bytes().enumerate().skip(open) {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return at + 1,
            b'}' => depth -= 1,
            _ => {}
        }
    }
    code.len()
}

/// The functions of `code` (blanked) that have a body.
pub(super) fn functions(code: &str) -> Vec<Function> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        if code[..at].chars().next_back().is_some_and(is_name) {
            continue;
        }
        let rest = &code[at + 3..];
        let name: String = rest.chars().take_while(|c| is_name(*c)).collect();
        let Some(first) = signature_end(rest) else { continue };
        if name.is_empty() || !rest[first..].starts_with('{') {
            continue;
        }
        let end = block_end(code, at + 3 + first);
        let line = code[..at].matches('\n').count() + 1;
        found.push(Function { name, line, lines: code[at..end].lines().count() });
    }
    found
}

/// The brace or semicolon that ends a signature; a semicolon in brackets, as of an array type, does not.
fn signature_end(rest: &str) -> Option<usize> {
    let mut brackets = 0_i32;
    rest.bytes().position(|byte| {
        brackets += i32::from(byte == b'[' || byte == b'(') - i32::from(byte == b']' || byte == b')');
        brackets == 0 && (byte == b'{' || byte == b';')
    })
}
