//! Rules for the macros' own syntax: bare names, `[lists]` and `{ fields }`.
//!
//! An expression is allowed in place of each. As in `rules`, a rule returns the argument or reports an error. The valid
//! rest of a form with an error is kept, so that the variables in it do not count as unused.

use std::collections::HashSet;
use std::fmt::Display;

use proc_macro2::Span;
use syn::ext::IdentExt as _;
use syn::{Ident, Lit};

use super::definition::{Argument, Call};
use super::record::{NO_BASE, Record, unknown};
use super::rules::{self, checked_string, expression, quoted, reject};
use crate::errors::Errors;
use crate::parse::{Entries, Entry, Value};

const ANNOTATIONS: Record =
    Record::new(&[("audience", audience), ("priority", rules::priority), ("last_modified", rules::last_modified)]);

const ICON: Record = Record::new(&[
    ("src", rules::icon_src),
    ("mime_type", rules::mime_type),
    ("sizes", icon_sizes),
    ("theme", icon_theme),
]);

/// The annotations of a tool.
const HINTS: Record = Record::new(&[
    ("title", rules::string),
    ("read_only", rules::yes_or_no),
    ("destructive", rules::yes_or_no),
    ("idempotent", rules::yes_or_no),
    ("open_world", rules::yes_or_no),
]);

pub(super) fn annotations(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    match Entries::of(value, errors) {
        Some(fields) => Some(Argument::New("Annotations", ANNOTATIONS.nested(fields, errors))),
        None => no_fields(key, value, "{ priority: 0.8 }", errors),
    }
}

pub(super) fn tool_annotations(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    match Entries::of(value, errors) {
        Some(fields) => Some(Argument::New("ToolAnnotations", HINTS.nested(fields, errors))),
        None => no_fields(key, value, "{ read_only: true }", errors),
    }
}

/// Reports a value that should be fields in braces.
pub(super) fn no_fields(key: &str, value: &Value, example: &str, errors: &mut Errors) -> Option<Argument> {
    if value.literal().is_none() && value.list().is_none() {
        return Some(expression(value));
    }
    reject(value, format_args!("{key} are fields: write them as in `{example}`"), errors)
}

pub(super) fn audience(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    if let Some(roles) = value.list() {
        return Some(list(&roles, |role| name("audience", "Role", ROLES, role, errors)));
    }
    let is_role = value.word().is_some_and(|word| ROLES.iter().any(|role| word == role));
    if is_role || value.literal().is_some() {
        return reject(value, format_args!("{key} is a list: write it as in `[Assistant, User]`"), errors);
    }
    Some(expression(value))
}

pub(super) fn cache_scope(_: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    name("cache scope", "CacheScope", &["Private", "Public"], value, errors)
}

pub(super) fn unknown_query(_: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    name("value of unknown_query", "UnknownQuery", &["Ignore", "Reject"], value, errors)
}

pub(super) fn icon_theme(_: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    name("theme", "Theme", &["Dark", "Light"], value, errors)
}

pub(super) fn icons(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    if let Some(icons) = value.list() {
        return Some(list(&icons, |value| icon(value, errors)));
    }
    if value.literal().is_some() || value.is_fields() {
        let message = format_args!("{key} are a list: write it as in `[{{ src: \"https://…\" }}]`");
        return reject(value, message, errors);
    }
    Some(expression(value))
}

pub(super) fn icon_sizes(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    let Some(sizes) = value.list() else {
        return reject(value, format_args!("{key} are a list: write it as in `[\"48x48\"]`"), errors);
    };
    Some(list(&sizes, |size| checked_string("size", size, grange_uri::check_icon_size, errors)))
}

pub(super) fn meta(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    match Entries::of(value, errors) {
        Some(fields) => Some(object(fields, grange_uri::check_meta_key, errors)),
        None if value.literal().is_some() || value.list().is_some() => {
            let example = "{ \"example.com/key\": 1 }";
            reject(value, format_args!("{key} is an object: write it as in `{example}`"), errors)
        }
        None => Some(expression(value)),
    }
}

/// Checks a literal schema of a tool's arguments: its type must be `object`.
pub(super) fn input_schema(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    let schema = output_schema(key, value, errors)?;
    if let Argument::Object(members) = &schema
        && let Some(place) = no_object_type(value, members)
    {
        let message = format_args!("{key} must have `\"type\": \"object\"`: arguments are members of an object");
        errors.at(place, message);
    }
    Some(schema)
}

pub(super) fn output_schema(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    if let Some(fields) = Entries::of(value, errors) {
        return Some(object(fields, |_| Ok::<_, &str>(()), errors));
    }
    match value.literal().map(|literal| literal.lit) {
        // A schema as text.
        Some(Lit::Str(_)) => Some(expression(value)),
        None if value.list().is_none() => Some(expression(value)),
        _ => {
            let example = "{ \"type\": \"object\" }";
            reject(value, format_args!("{key} is a JSON Schema: write it as in `{example}`"), errors)
        }
    }
}

/// The `type` member of a literal schema if it is not `object`, or the whole schema if it has none.
fn no_object_type<'a>(schema: &'a Value, members: &'a [Entry]) -> Option<&'a Value> {
    match members.iter().find(|member| member.key.text().as_deref() == Some("type")) {
        Some(Entry { value, .. }) => match value.literal().map(|literal| literal.lit) {
            Some(Lit::Str(kind)) if kind.value() == "object" => None,
            None if value.list().is_none() => None,
            _ => Some(value),
        },
        None if members.iter().any(|member| member.key.text().is_none()) => None,
        None => Some(schema),
    }
}

const ROLES: &[&str] = &["Assistant", "User"];

/// `Assistant`: one of a few names, or an expression of that type.
///
/// A single word in the case of a type is read as a name, and so is a known name in lower case: authors who know the
/// names from the protocol write it so by mistake. Any other variable, constant or path is an expression.
pub(super) fn name(
    what: &str,
    enumeration: &'static str,
    known: &[&str],
    value: &Value,
    errors: &mut Errors,
) -> Option<Argument> {
    let written = match (value.word(), value.literal().map(|literal| literal.lit)) {
        (Some(word), None) if known.iter().any(|name| word == name) => {
            return Some(Argument::Constant(enumeration, word));
        }
        (Some(word), None) if is_type_case(&word) => word.to_string(),
        (Some(word), None) if in_other_case(&word, known) => {
            let meant = unknown(what, &word.unraw().to_string(), known);
            return reject(value, format_args!("{meant} (a variable needs another name)"), errors);
        }
        (_, None) => return Some(expression(value)),
        (_, Some(Lit::Str(text))) => {
            let meant = grange_uri::nearest(&text.value(), known).unwrap_or(known[0]);
            let message = format_args!("{what} {}is a string: write the bare name `{meant}`", quoted(&text.value()));
            return reject(value, message, errors);
        }
        (_, Some(_)) => {
            return reject(value, format_args!("{what} is a name: write it as in `{}`", known[0]), errors);
        }
    };
    reject(value, unknown(what, &written, known), errors)
}

/// Whether it is a known name in another case.
fn in_other_case(word: &Ident, known: &[&str]) -> bool {
    let word = word.unraw().to_string();
    known.iter().any(|name| name.eq_ignore_ascii_case(&word))
}

fn is_type_case(word: &Ident) -> bool {
    let word = word.to_string();
    word.starts_with(char::is_uppercase) && word.contains(char::is_lowercase)
}

pub(super) fn list(values: &[Value], rule: impl FnMut(&Value) -> Option<Argument>) -> Argument {
    Argument::List(values.iter().filter_map(rule).collect())
}

/// `{ src: "https://…", … }`
fn icon(value: &Value, errors: &mut Errors) -> Option<Argument> {
    let Some(fields) = Entries::of(value, errors) else {
        return match value.literal() {
            Some(_) => reject(value, "an icon is fields: write it as in `{ src: \"https://…\" }`", errors),
            None => Some(expression(value)),
        };
    };
    if !fields.entries.iter().any(|entry| ICON.meant(&entry.key).as_deref() == Some("src")) {
        return reject(value, "`src` is missing: add one, as in `src: \"https://example.com/icon.png\"`", errors);
    }
    let (src, calls): (Vec<_>, Vec<_>) = ICON.nested(fields, errors).into_iter().partition(|call| call.method == "src");
    let src = Box::new(src.into_iter().next()?.argument);
    Some(Argument::Icon { src, calls: calls.into_iter().flat_map(size_calls).collect() })
}

/// `sizes: [a, b]` is `.size(a).size(b)`.
fn size_calls(call: Call) -> Vec<Call> {
    let method = Ident::new("size", Span::mixed_site());
    match call.argument {
        Argument::List(sizes) => sizes.into_iter().map(|argument| Call { method: method.clone(), argument }).collect(),
        _ => vec![call],
    }
}

/// `{ "example.com/key": …, word: … }`
fn object<E: Display>(fields: Entries, check: impl Fn(&str) -> Result<(), E>, errors: &mut Errors) -> Argument {
    if let Some(base) = fields.base {
        errors.at(base.dots, NO_BASE);
    }
    let mut seen = HashSet::new();
    for Entry { key, .. } in &fields.entries {
        let Some(text) = key.text() else { continue };
        if let Err(problem) = check(&text) {
            errors.at(key, format_args!("the key {}{problem}", quoted(&text)));
        } else if !seen.insert(text.clone()) {
            errors.at(key, format_args!("duplicate key `{text}`: keep one"));
        }
    }
    Argument::Object(fields.entries)
}
