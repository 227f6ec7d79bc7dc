//! The fields that Agent Skills knows.
//!
//! `name`, `description` and `compatibility` are held to its rules. `license`, `allowed-tools` and `metadata` only give a
//! lint if they have another type than there: they are listed as written, every host reads them alike, and lists of tools
//! and nested metadata are in wide use. Lengths count characters, not bytes.

use crate::error::{FrontmatterError, FrontmatterFault};
use crate::lint::{Lint, LintKind, push_key};
use crate::name::check_skill_name;
use crate::yaml::{Entry, Value};

/// Most characters of `description`.
const DESCRIPTION: usize = 1024;
/// Most characters of `compatibility`.
const COMPATIBILITY: usize = 500;
/// What a key of `metadata` may not begin with.
const RESERVED: &str = "io.modelcontextprotocol/";

/// The fields that every skill has.
pub(super) struct Fields {
    pub(super) name: String,
    pub(super) description: String,
}

/// Checks the fields; what is only a lint is added to `lints`.
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

/// A blank text counts as none.
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

/// A lint about a whole field; its value is shown as JSON.
fn of_kind(entry: &Entry, kind: LintKind) -> Lint {
    let mut value = String::new();
    entry.value.write(&mut value);
    Lint { field: entry.key.clone(), value, line: Some(entry.line), kind }
}
