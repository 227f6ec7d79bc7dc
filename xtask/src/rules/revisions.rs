//! A revision is a row of one table: no shipped code outside `crates/core/src/era` names one.

use super::none;
use crate::source::{Source, shipped_sources};

#[test]
fn only_the_table_names_a_revision() {
    let outside = shipped_sources().into_iter().filter(|source| !source.path.starts_with("crates/core/src/era/"));
    let places: Vec<String> = outside.flat_map(named_revisions).collect();
    none(&places, "ask the row (`era::ALL`) what a revision has; a new property is a new column");
}

fn named_revisions(source: &Source) -> Vec<String> {
    let lines = source.shipped_with_strings.lines().enumerate();
    let named = lines.filter(|(_, line)| has_date(line) || line.contains("Revision::V"));
    named.map(|(at, line)| format!("{}:{}: {}", source.path, at + 1, line.trim())).collect()
}

/// Whether a line has a date of this century that is not the beginning of a timestamp.
fn has_date(line: &str) -> bool {
    let bytes = line.as_bytes();
    bytes.windows(10).enumerate().any(|(at, window)| {
        let shape = window.iter().enumerate().all(|(place, byte)| match place {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        });
        let apart = |byte: Option<&u8>| !byte.is_some_and(u8::is_ascii_alphanumeric);
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        shape && window.starts_with(b"20") && apart(before) && apart(bytes.get(at + 10))
    })
}

#[test]
fn dates_are_recognised() {
    let source = |text: &str| Source::new("crates/http/src/x.rs", text.to_owned());
    assert!(named_revisions(&source("//! 2026-07-28 server/resources\n/// 2025-06-18\nlet a = b;\n")).is_empty());
    assert_eq!(named_revisions(&source("let a = \"2025-06-18\";\nlet b = Revision::V2025_06_18;\n")).len(), 2);
    assert!(named_revisions(&source("let a = \"2025-01-12T15:00:58Z\";\n")).is_empty());
    assert!(named_revisions(&source("#[cfg(test)]\nmod tests {\n    let a = \"2025-06-18\";\n}\n")).is_empty());
}
