//! Checks the fields of Agent Skills.
//!
//! `name`, `description` and `compatibility` must follow its rules. `license`, `allowed-tools` and `metadata` of
//! another type only give a lint: they are listed as written, all hosts read them in the same way, and lists of tools
//! and nested metadata are common. Lengths are in characters, not bytes.

use crate::error::{FrontmatterError, FrontmatterFault};
use crate::lint::{Lint, LintKind, push_key};
use crate::name::check_skill_name;
use crate::yaml::{Entry, Value};

/// The maximum length of `description`.
const DESCRIPTION: usize = 1024;
/// The maximum length of `compatibility`.
const COMPATIBILITY: usize = 500;
/// The prefix that keys of `metadata` must not have.
const RESERVED: &str = "io.modelcontextprotocol/";

/// The required fields.
pub(super) struct Fields {
    pub(super) name: String,
    pub(super) description: String,
}

/// Checks the fields and appends to `lints`.
pub(super) fn check(entries: &[Entry], lints: &mut Vec<Lint>) -> Result<Fields, FrontmatterError> {
    let (name, line) = string(required(entries, "name")?, "name")?;
    check_skill_name(name).map_err(|error| FrontmatterError::at(line, FrontmatterFault::Name(error)))?;
    let (description, line) = string(required(entries, "description")?, "description")?;
    check_length("description", description, DESCRIPTION, line)?;
    if let Some(entry) = find(entries, "compatibility") {
        let (compatibility, line) = string(entry, "compatibility")?;
        check_length("compatibility", compatibility, COMPATIBILITY, line)?;
    }
    for field in ["license", "allowed-tools"] {
        let found = find(entries, field).filter(|entry| !matches!(entry.value, Value::Text(_)));
        lints.extend(found.map(|entry| of_kind(entry, LintKind::NotString { found: entry.value.kind() })));
    }
    if let Some(entry) = find(entries, "metadata") {
        check_metadata(entry, lints);
    }
    Ok(Fields { name: name.to_owned(), description: description.to_owned() })
}

fn find<'a>(entries: &'a [Entry], field: &str) -> Option<&'a Entry> {
    entries.iter().find(|entry| entry.key == field)
}

fn required<'a>(entries: &'a [Entry], field: &'static str) -> Result<&'a Entry, FrontmatterError> {
    find(entries, field).ok_or_else(|| FrontmatterError::nowhere(FrontmatterFault::Missing { field }))
}

fn string<'a>(entry: &'a Entry, field: &'static str) -> Result<(&'a str, usize), FrontmatterError> {
    match &entry.value {
        Value::Text(text) => Ok((text, entry.line)),
        other => {
            let fault = FrontmatterFault::NotString { field, found: other.kind() };
            Err(FrontmatterError::at(entry.line, fault))
        }
    }
}

/// Checks a length. A blank text counts as empty.
fn check_length(field: &'static str, text: &str, most: usize, line: usize) -> Result<(), FrontmatterError> {
    let found = if text.trim().is_empty() { 0 } else { text.chars().count() };
    if (1..=most).contains(&found) {
        return Ok(());
    }
    Err(FrontmatterError::at(line, FrontmatterFault::Length { field, found, most }))
}

fn check_metadata(metadata: &Entry, lints: &mut Vec<Lint>) {
    let Value::Map(entries) = &metadata.value else {
        lints.push(of_kind(metadata, LintKind::NotMapping { found: metadata.value.kind() }));
        return;
    };
    for entry in entries.iter().filter(|entry| entry.key.starts_with(RESERVED)) {
        let mut field = metadata.key.clone();
        push_key(&mut field, &entry.key);
        lints.push(Lint { field, value: entry.key.clone(), line: Some(entry.line), kind: LintKind::Reserved });
    }
}

/// A lint about a field; the value is shown as JSON.
fn of_kind(entry: &Entry, kind: LintKind) -> Lint {
    let mut value = String::new();
    entry.value.write(&mut value);
    Lint { field: entry.key.clone(), value, line: Some(entry.line), kind }
}
