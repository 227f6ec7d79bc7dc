//! Names follow the glossary: no identifier has a word that the glossary gives another term for.

use std::fs;

use super::none;
use crate::project::Project;
use crate::source::{FOLDERS, Source, sources};

const PAGE: &str = "docs/glossary.md";
const HEADER: &str = "| term | meaning | not |";
/// What we measure ourselves against, in its own words.
const PEERS: &str = "benches/peers/";

/// A word that we do not use, as the parts of a name, and the term that we use.
struct Banned {
    parts: Vec<String>,
    term: String,
}

#[test]
fn no_identifier_has_a_word_that_the_glossary_replaces() {
    let page = fs::read_to_string(Project::find().path(PAGE));
    let page = page.unwrap_or_else(|error| panic!("{PAGE}, which says what a thing is called, is not read: {error}"));
    let banned = banned(&page);
    assert!(!banned.is_empty(), "{PAGE} has no table `{HEADER}` with words in backticks in its last column");
    let ours = sources(&FOLDERS).into_iter().filter(|source| !source.path.starts_with(PEERS));
    let places: Vec<String> = ours.flat_map(|source| misnamed(source, &banned)).collect();
    none(&places, &format!("use the term that {PAGE} has for it"));
}

/// The words in backticks in the last columns of the page's tables.
fn banned(page: &str) -> Vec<Banned> {
    let mut found = Vec::new();
    let mut in_table = false;
    for line in page.lines() {
        in_table = line == HEADER || in_table && line.starts_with('|');
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        if let (true, [term, _, not]) = (in_table, &*cells) {
            let words = not.split('`').skip(1).step_by(2);
            found.extend(words.map(|word| Banned { parts: parts(word), term: term.replace('`', "") }));
        }
    }
    found
}

fn misnamed(source: &Source, banned: &[Banned]) -> Vec<String> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let lines = source.code.lines().enumerate();
    let names = lines.flat_map(|(at, line)| line.split(move |c| !is_name(c)).map(move |name| (at + 1, name)));
    let wrong = names.filter_map(|(at, name)| {
        let parts = parts(name);
        let word = banned.iter().find(|word| parts.windows(word.parts.len()).any(|window| window == word.parts))?;
        Some(format!("{}:{at}: `{name}` has `{}`: {}", source.path, word.parts.join("_"), word.term))
    });
    wrong.collect()
}

/// The words of a name in `snake_case` or `CamelCase`, in lower case.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut before = '_';
    for (at, c) in name.char_indices() {
        let is_followed_by_lower = name[at + c.len_utf8()..].starts_with(char::is_lowercase);
        if c == '_' || c.is_uppercase() && (!before.is_uppercase() || is_followed_by_lower) {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut().filter(|_| c != '_') {
            part.extend(c.to_lowercase());
        }
        before = c;
    }
    parts.retain(|part| !part.is_empty());
    parts
}

#[test]
fn a_planted_word_is_found() {
    let page = format!("{HEADER}\n|---|---|---|\n| session | a | b | `x` |\n| outbox | `c` | `mail`, `back_door` |\n");
    let text = "// mail\nfn mail_sent(email: MailBox, b: BACK_DOOR, c: Backdoor) -> HTTPMail { \"mail\" }\n".to_owned();
    let found = misnamed(&Source::new("x.rs", text), &banned(&page));
    let line = |name: &str, word: &str| format!("x.rs:2: `{name}` has `{word}`: outbox");
    let names = [("mail_sent", "mail"), ("MailBox", "mail"), ("BACK_DOOR", "back_door"), ("HTTPMail", "mail")];
    assert_eq!(found, names.map(|(name, word)| line(name, word)));
}
