//! Checks entries against a table of keys: unknown, misspelt and duplicate keys, and the rule for each value.

use std::collections::HashSet;

use quote::ToTokens as _;
use syn::Ident;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;

use super::definition::{Argument, Call};
use super::not_yet;
use crate::errors::Errors;
use crate::parse::{Entries, Entry, Key, Value};

/// The error for a `..base` anywhere except after the last key of a resource or a template.
pub(super) const NO_BASE: &str =
    "`..` does not belong here: only a resource or a template has a base, behind its last key";

/// The keys between a pair of braces.
pub(super) struct Record {
    /// The allowed keys, each with the rule for its value.
    keys: &'static [(&'static str, Rule)],
    /// Keys that belong elsewhere, each with the rest of the error text: what to do.
    misplaced: &'static [(&'static str, &'static str)],
}

/// Checks a value. Gets the key for error texts; returns the argument for the builder, or reports an error.
pub(super) type Rule = fn(&str, &Value, &mut Errors) -> Option<Argument>;

impl Record {
    pub(super) const fn new(keys: &'static [(&'static str, Rule)]) -> Self {
        Self { keys, misplaced: &[] }
    }

    pub(super) const fn with_misplaced(self, misplaced: &'static [(&'static str, &'static str)]) -> Self {
        Self { misplaced, ..self }
    }

    /// The entries of a literal inside a definition, where no base is allowed.
    pub(super) fn nested(&self, entries: Entries, errors: &mut Errors) -> Vec<Call> {
        if let Some(base) = entries.base {
            errors.at(base.dots, NO_BASE);
        }
        self.calls(&entries.entries, errors)
    }

    /// The builder calls for the entries.
    pub(super) fn calls(&self, entries: &[Entry], errors: &mut Errors) -> Vec<Call> {
        let mut seen = HashSet::new();
        entries.iter().filter_map(|entry| self.call(entry, &mut seen, errors)).collect()
    }

    /// The known keys among the entries, misspelt ones included.
    pub(super) fn present(&self, entries: &[Entry]) -> HashSet<String> {
        entries.iter().filter_map(|entry| self.meant(&entry.key)).collect()
    }

    fn call(&self, entry: &Entry, seen: &mut HashSet<String>, errors: &mut Errors) -> Option<Call> {
        let method = self.key(&entry.key, errors)?;
        let (name, rule) = self.keys.iter().find(|(name, _)| method.unraw() == name)?;
        if !seen.insert((*name).to_owned()) {
            errors.at(&entry.key, format_args!("duplicate key `{name}`: keep one"));
        }
        Some(Call { argument: rule(name, &entry.value, errors)?, method })
    }

    /// The known key that is written or probably meant. A misspelt key is reported.
    fn key(&self, key: &Key, errors: &mut Errors) -> Option<Ident> {
        match key {
            Key::Bare(word) if self.knows(&word.unraw().to_string()) => return Some(word.clone()),
            Key::Quoted(text) if self.knows(&text.value()) => {
                errors.at(text, format_args!("keys stand without quotes: write `{}`", text.value()));
            }
            Key::Bare(_) | Key::Quoted(_) | Key::Computed(_) => {
                let written = written(key);
                if let Some(problem) = self.misplaced(&written) {
                    errors.at(key, format_args!("`{written}` {problem}"));
                } else if let Some(remedy) = not_yet::remedy(&written).filter(|_| self.meant(key).is_none()) {
                    errors.at(key, format_args!("`{written}` is not there yet: {remedy}"));
                } else {
                    errors.at(key, unknown("key", &written, &self.names()));
                }
            }
        }
        self.meant(key).map(|name| Ident::new(&name, key.span()))
    }

    /// The known key that is probably meant.
    pub(super) fn meant(&self, key: &Key) -> Option<String> {
        let key = key.text().filter(|key| self.misplaced(key).is_none())?;
        meant(&key, &self.names()).map(str::to_owned)
    }

    /// Whether an entry has a key with this problem.
    pub(super) fn has_misplaced(&self, entries: &[Entry], problem: &str) -> bool {
        entries.iter().filter_map(|entry| self.misplaced(&entry.key.text()?)).any(|found| found == problem)
    }

    /// The problem of a key that belongs elsewhere.
    fn misplaced(&self, key: &str) -> Option<&'static str> {
        self.misplaced.iter().find(|(name, _)| *name == key).map(|(_, problem)| *problem)
    }

    fn knows(&self, key: &str) -> bool {
        self.keys.iter().any(|(name, _)| *name == key)
    }

    fn names(&self) -> Vec<&'static str> {
        self.keys.iter().map(|(name, _)| *name).collect()
    }
}

/// The key as it is written, for error texts.
pub(super) fn written(key: &Key) -> String {
    key.text().unwrap_or_else(|| key.to_token_stream().to_string())
}

/// `unknown key `tilte`: did you mean `title`?`
pub(super) fn unknown(what: &str, written: &str, known: &[&str]) -> String {
    if let Some(meant) = meant(written, known) {
        return format!("unknown {what} `{written}`: did you mean `{meant}`?");
    }
    let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
    format!("unknown {what} `{written}`: expected one of {}", known.join(", "))
}

fn meant<'a>(written: &str, known: &[&'a str]) -> Option<&'a str> {
    // Accepts the names of the specification, such as `readOnlyHint` and `uriTemplate`.
    let endings = ["Hint", "_hint", "Template", "_template"];
    let written = endings.iter().find_map(|ending| written.strip_suffix(ending)).unwrap_or(written);
    let begins = |name: &&&str| written.len() > 2 && name.starts_with(written);
    grange_uri::nearest(written, known).or_else(|| known.iter().find(begins).copied())
}
