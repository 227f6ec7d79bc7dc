//! The keys of a template. Those that it shares with a resource have the same rules.

use proc_macro2::Span;
use syn::Lit;
use syn::ext::IdentExt as _;

use super::definition::{Argument, Call, Definition};
use super::record::Record;
use super::{complete, forms, readers, rules};
use crate::errors::Errors;
use crate::parse::{self, Entry};

const TEMPLATE: Record = Record::new(&[
    ("uri", rules::template_uri),
    ("name", rules::name),
    ("title", rules::string),
    ("description", rules::string),
    ("mime_type", rules::mime_type),
    ("annotations", forms::annotations),
    ("icons", forms::icons),
    ("meta", forms::meta),
    ("content_meta", forms::meta),
    ("ttl", rules::ttl),
    ("cache_scope", forms::cache_scope),
    ("unknown_query", forms::unknown_query),
    ("read", readers::template_read),
    ("check", readers::template_check),
    ("complete", complete::block),
])
.with_misplaced(&[
    ("blob", FROM_READ),
    ("bytes", FROM_READ),
    ("call", FROM_READ),
    ("size", "is no key of a template: each of its resources has a size of its own"),
    ("text", FROM_READ),
    ("ui", "is no key of a template: declare each view with `resource!`"),
]);

const FROM_READ: &str = "is no key of a template: its contents come from `read`";

/// Checks one definition.
pub(crate) fn template(parsed: parse::Definition, errors: &mut Errors) -> Definition {
    let entries = parsed.entries.entries;
    if parsed.entries.base.is_none() {
        check_missing(&entries, parsed.span, errors);
    }
    let pattern = pattern(&entries);
    let variables = pattern.as_ref().map(grange_uri::Template::variables);
    let mut calls = Vec::new();
    for Call { method, argument } in TEMPLATE.calls(&entries, errors) {
        match argument {
            Argument::Object(block) if method.unraw() == "complete" => {
                calls.extend(complete::calls(&method, block, variables, errors));
            }
            argument => calls.push(Call { method, argument }),
        }
    }
    Definition { base: parsed.entries.base.map(|base| base.value), calls }
}

/// The `uri`, if it is a literal without an error.
fn pattern(entries: &[Entry]) -> Option<grange_uri::Template> {
    let entry = entries.iter().find(|entry| TEMPLATE.meant(&entry.key).as_deref() == Some("uri"))?;
    match entry.value.literal()?.lit {
        Lit::Str(uri) => grange_uri::Template::parse(&uri.value()).ok(),
        _ => None,
    }
}

/// Without a base, a template needs a URI, a name and a reader.
fn check_missing(entries: &[Entry], place: Span, errors: &mut Errors) {
    let keys = TEMPLATE.present(entries);
    if !keys.contains("uri") {
        errors.at_span(place, "`uri` is missing: add one, as in `uri: \"orders://{id}\"`");
    }
    if !keys.contains("name") {
        errors.at_span(place, "`name` is missing: add one, as in `name: \"order\"`");
    }
    // A key such as `text` is reported in its place.
    if !keys.contains("read") && !TEMPLATE.has_misplaced(entries, FROM_READ) {
        let example = "read: |cx, Order { id }| async move { … }";
        errors.at_span(place, format_args!("`read` is missing: add the reader, as in `{example}`"));
    }
}
