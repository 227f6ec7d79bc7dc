//! The keys of a resource, and which of them are required or exclude each other.

use std::collections::HashSet;

use proc_macro2::Span;
use syn::{Lit, LitStr};

use super::definition::Definition;
use super::record::Record;
use super::{forms, readers, rules, ui};
use crate::errors::Errors;
use crate::parse::{self, Entry};

const RESOURCE: Record = Record::new(&[
    ("uri", rules::uri),
    ("name", rules::name),
    ("title", rules::string),
    ("description", rules::string),
    ("mime_type", rules::mime_type),
    ("size", rules::size),
    ("annotations", forms::annotations),
    ("icons", forms::icons),
    ("meta", forms::meta),
    ("content_meta", forms::meta),
    ("ui", ui::view),
    ("ttl", rules::ttl),
    ("cache_scope", forms::cache_scope),
    ("text", rules::text),
    ("bytes", rules::bytes),
    ("read", readers::read),
    ("check", readers::check),
])
.with_misplaced(&[
    ("complete", "is no key of a resource: it is for the variables of a template, which `template!` declares"),
    ("list", "is no key of a resource: declare each resource by itself, in a loop, or a template with `template!`"),
    ("resource_template", DECLARE_TEMPLATE),
    ("template", DECLARE_TEMPLATE),
    ("templates", DECLARE_TEMPLATE),
    ("unknown_query", DECLARE_TEMPLATE),
    ("uriTemplate", DECLARE_TEMPLATE),
    ("uri_template", DECLARE_TEMPLATE),
    ("uri_templates", DECLARE_TEMPLATE),
]);

const DECLARE_TEMPLATE: &str = "is no key of a resource: declare a template with `template!`";

/// Checks one definition.
pub(crate) fn one(parsed: parse::Definition, errors: &mut Errors) -> Definition {
    let entries = parsed.entries.entries;
    if parsed.entries.base.is_none() {
        check_missing(&entries, parsed.span, errors);
    }
    check_payloads(&entries, errors);
    Definition { base: parsed.entries.base.map(|base| base.value), calls: RESOURCE.calls(&entries, errors) }
}

/// Checks definitions that are served together: each alone, and that no two have the same URI.
pub(crate) fn many(parsed: Vec<parse::Definition>, errors: &mut Errors) -> Vec<Definition> {
    let mut seen = HashSet::new();
    for uri in parsed.iter().filter_map(uri) {
        if !seen.insert(uri.value()) {
            let uri_text = uri.value();
            errors.at(uri, format_args!("the uri `{uri_text}` is declared twice: give each resource its own"));
        }
    }
    parsed.into_iter().map(|definition| one(definition, errors)).collect()
}

/// The URI, if it is a literal.
fn uri(definition: &parse::Definition) -> Option<LitStr> {
    let entry = definition.entries.entries.iter().find(|entry| entry.key.text().as_deref() == Some("uri"))?;
    match entry.value.literal()?.lit {
        Lit::Str(uri) => Some(uri),
        _ => None,
    }
}

/// Without a base, a resource needs a URI, a name and a payload.
fn check_missing(entries: &[Entry], place: Span, errors: &mut Errors) {
    let keys = RESOURCE.present(entries);
    // A key such as `uri_template` is reported in its place.
    if !keys.contains("uri") && !RESOURCE.has_misplaced(entries, DECLARE_TEMPLATE) {
        errors.at_span(place, "`uri` is missing: add one, as in `uri: \"docs://getting-started\"`");
    }
    if !keys.contains("name") {
        errors.at_span(place, "`name` is missing: add one, as in `name: \"getting-started\"`");
    }
    if !PAYLOADS.iter().any(|payload| keys.contains(*payload)) {
        errors.at_span(place, "there is no payload: add one of `text`, `bytes` and `read`");
    }
}

const PAYLOADS: [&str; 3] = ["text", "bytes", "read"];

/// `text: "…", bytes: b"…"`
fn check_payloads(entries: &[Entry], errors: &mut Errors) {
    let mut first: Option<String> = None;
    for entry in entries {
        let Some(key) = entry.key.text().filter(|key| PAYLOADS.contains(&key.as_str())) else { continue };
        match &first {
            None => first = Some(key),
            // The same key twice is already reported as a duplicate key.
            Some(first) if *first == key => {}
            Some(first) => {
                errors.at(&entry.key, format_args!("two payloads, `{first}` and `{key}`: keep one"));
            }
        }
    }
}
