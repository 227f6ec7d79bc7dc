//! Rules for values that are one literal: strings, numbers, bytes.
//!
//! A rule returns the argument for the builder, or reports an error and returns `None`. **Anything that is not clearly
//! a literal is accepted**: the compiler and `build()` check it.

use std::fmt::Display;

use quote::ToTokens as _;
use syn::{Ident, Lit, LitFloat};

use super::codes;
use super::definition::Argument;
use crate::errors::Errors;
use crate::parse::{Literal, Value};

pub(super) fn uri(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    checked_string(key, value, grange_uri::check_resource, errors)
}

pub(super) fn template_uri(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    checked_string(key, value, |uri| grange_uri::Template::parse(uri).map(drop), errors)
}

pub(super) fn mime_type(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    checked_string(key, value, grange_uri::check_mime, errors)
}

pub(super) fn last_modified(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    checked_string(key, value, grange_uri::check_timestamp, errors)
}

pub(super) fn icon_src(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    checked_string(key, value, grange_uri::check_icon, errors)
}

pub(super) fn string(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    checked_string(key, value, |_| Ok::<_, &str>(()), errors)
}

pub(super) fn name(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    let check = |name: &str| {
        if name.is_empty() { Err("is empty: write one, as in `getting-started`") } else { Ok(()) }
    };
    checked_string(key, value, check, errors)
}

pub(super) fn tool_name(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    checked_string(key, value, grange_uri::check_tool_name, errors)
}

pub(super) fn yes_or_no(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    match value.literal().map(|literal| literal.lit) {
        None | Some(Lit::Bool(_)) => Some(expression(value)),
        Some(_) => reject(value, format_args!("{key} is yes or no: write `true` or `false`"), errors),
    }
}

pub(super) fn text(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    if value.called_macro().is_some_and(|name| name == "include_bytes") || is_byte_string(value) {
        let message =
            format_args!("{key} is a string, and this is bytes: give it as `bytes`, or text by `include_str!`");
        return reject(value, message, errors);
    }
    string(key, value, errors)
}

fn is_byte_string(value: &Value) -> bool {
    matches!(value.literal(), Some(Literal { lit: Lit::ByteStr(_), .. }))
}

pub(super) fn bytes(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    if let Some(name) = value.called_macro().filter(produces_text) {
        let message = format_args!(
            "{key} is a byte string, and `{name}!` gives text: give it as `text`, or bytes by `include_bytes!`"
        );
        return reject(value, message, errors);
    }
    match value.literal().map(|literal| literal.lit) {
        None | Some(Lit::ByteStr(_)) => Some(expression(value)),
        Some(_) => {
            reject(value, format_args!("{key} is a byte string: write `b\"…\"`, or give text as `text`"), errors)
        }
    }
}

/// The macros of the standard library that produce text.
fn produces_text(name: &Ident) -> bool {
    ["concat", "env", "format", "include_str", "stringify"].iter().any(|known| name == known)
}

/// Whether the value is contents and no code.
pub(super) fn is_fixed(value: &Value) -> bool {
    let gives_contents = |name: Ident| produces_text(&name) || name == "include_bytes";
    value.literal().is_some() || value.called_macro().is_some_and(gives_contents)
}

/// Counts a closure's parameters, since they decide which method of the builder is called.
pub(super) fn call(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    if value.literal().is_some() || value.list().is_some() || value.is_fields() {
        let remedy = "write `|cx, args: Arguments| async move { … }`, or `|cx| async move { … }` without arguments";
        return reject(value, format_args!("{key} is what the tool does: {remedy}"), errors);
    }
    codes::check(value, errors);
    let code = || Some(Argument::Code("ToolBuilder", value.clone()));
    let Some(closure) = value.closure() else { return code() };
    match closure.parameters.get(2) {
        Some(third) => {
            let remedy = "make it a field of the arguments' type";
            errors.at(third, format_args!("{key} takes the context and the arguments, no more: {remedy}"));
        }
        None if closure.parameters.is_empty() => {
            let remedy = "write `|_cx|`, or `|_cx, args: Arguments|` for a tool with arguments";
            errors.at(closure.bars, format_args!("{key} takes the context: {remedy}"));
        }
        None if closure.has_context_last() => {
            let remedy = "write `|cx, args: Arguments|`";
            errors.at(closure.bars, format_args!("{key} takes the context first, then the arguments: {remedy}"));
        }
        None => return code(),
    }
    None
}

pub(super) fn size(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    let problem = match value.literal() {
        None => return Some(expression(value)),
        Some(Literal { negative: true, .. }) => "cannot be negative: write the number of bytes",
        Some(Literal { lit: Lit::Int(size), .. }) => match size.base10_parse::<u64>() {
            Ok(_) => return Some(expression(value)),
            Err(_) => "does not fit 64 bits: write the number of bytes",
        },
        Some(_) => "is a whole number: write the number of bytes, as in `1024`",
    };
    reject(value, format_args!("{key} {problem}"), errors)
}

pub(super) fn ttl(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    let number = match value.literal() {
        None => return Some(expression(value)),
        Some(Literal { lit: Lit::Int(number), negative }) => Some((number.base10_digits().to_owned(), negative)),
        Some(Literal { lit: Lit::Float(_), negative: true }) => Some(("60".to_owned(), true)),
        Some(_) => None,
    };
    let (seconds, negative) = number.unwrap_or_else(|| ("60".to_owned(), false));
    let problem = if negative { "cannot be negative" } else { "is a Duration" };
    reject(value, format_args!("{key} {problem}: write `Duration::from_secs({seconds})`"), errors)
}

pub(super) fn priority(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    let Some(literal) = value.literal() else { return Some(expression(value)) };
    let Some(number) = literal.number() else {
        return reject(value, format_args!("{key} is a number: write one from 0.0 to 1.0"), errors);
    };
    if !(0.0..=1.0).contains(&number) {
        return reject(value, format_args!("{key} `{number}` is out of range: write 0.0 to 1.0"), errors);
    }
    // A whole number is a valid value, but the compiler needs an `f64`.
    Some(match literal.lit {
        Lit::Int(whole) => {
            let number = LitFloat::new(&format!("{:.1}", number.abs()), whole.span());
            Argument::Expression(Value::new(number.into_token_stream()))
        }
        _ => expression(value),
    })
}

pub(super) fn expression(value: &Value) -> Argument {
    Argument::Expression(value.clone())
}

/// Reports an error for the whole value.
pub(super) fn reject(value: &Value, message: impl Display, errors: &mut Errors) -> Option<Argument> {
    errors.at(value, message);
    None
}

/// Checks a string. The check's error is a predicate: `uri `foo` ` + `is relative: …`.
pub(super) fn checked_string<E: Display>(
    key: &str,
    value: &Value,
    check: impl FnOnce(&str) -> Result<(), E>,
    errors: &mut Errors,
) -> Option<Argument> {
    match value.literal().map(|literal| literal.lit) {
        None if value.called_macro().is_some_and(|name| name == "include_bytes") => reject(
            value,
            format_args!("{key} is a string, and `include_bytes!` gives bytes: use `include_str!`"),
            errors,
        ),
        None => Some(expression(value)),
        Some(Lit::Str(text)) => match check(&text.value()) {
            Ok(()) => Some(expression(value)),
            Err(problem) => reject(value, format_args!("{key} {}{problem}", quoted(&text.value())), errors),
        },
        Some(_) => reject(value, format_args!("{key} is a string: write it as in `\"…\"`"), errors),
    }
}

/// The text in backquotes and a space; empty for an empty text; truncated if it is long, as a `data:` URI.
pub(super) fn quoted(text: &str) -> String {
    const LONG: usize = 80;
    let shown: String = text.chars().take(LONG).flat_map(char::escape_debug).collect();
    let more = if text.chars().nth(LONG).is_some() { "…" } else { "" };
    if text.is_empty() { String::new() } else { format!("`{shown}{more}` ") }
}
