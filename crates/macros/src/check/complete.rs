//! The completers of a template's variables: `{ id: |cx, typed| async move { … }, status: ["open", "closed"] }`.
//!
//! A closure completes by code, and any other value is a list. Names and values are checked if the `uri` is a literal;
//! `build()` checks the names for any other `uri`.

use std::collections::HashSet;

use grange_uri::Variable;
use syn::{Ident, Lit};

use super::definition::{Argument, Call};
use super::record::{NO_BASE, unknown};
use super::rules::{checked_string, expression, is_fixed, reject};
use super::{codes, record};
use crate::errors::Errors;
use crate::parse::{Closure, Entries, Entry, Key, Value};

/// The entries of the block, which become calls by [`calls`].
pub(super) fn block(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    let Some(Entries { entries, base }) = Entries::of(value, errors) else {
        let example = "{ id: |cx, typed| async move { … }, status: [\"open\", \"closed\"] }";
        return reject(value, format_args!("{key} has variables and their completers: write `{example}`"), errors);
    };
    if let Some(base) = base {
        errors.at(base.dots, NO_BASE);
    }
    Some(Argument::Object(entries))
}

/// A call for each completer of the block. `variables` are those of a literal `uri`.
pub(super) fn calls(
    key: &Ident,
    completers: Vec<Entry>,
    variables: Option<&[Variable]>,
    errors: &mut Errors,
) -> Vec<Call> {
    let mut seen = HashSet::new();
    let mut calls = Vec::new();
    for Entry { key: name, value } in completers {
        check_name(&name, &mut seen, variables, errors);
        let text = name.text();
        let variable = variables.unwrap_or_default().iter().find(|variable| text.as_deref() == Some(variable.name()));
        if let Some(completer) = completer(&name, &value, variable, errors) {
            let method = if matches!(completer, Argument::Code(..)) { "complete" } else { "complete_from" };
            let argument = Argument::Named(name, Box::new(completer));
            calls.push(Call { method: Ident::new(method, key.span()), argument });
        }
    }
    calls
}

/// Reports a name that is no variable, or stands there twice.
fn check_name(name: &Key, seen: &mut HashSet<String>, variables: Option<&[Variable]>, errors: &mut Errors) {
    let Some(text) = name.text() else { return };
    if let Some(variables) = variables
        && !variables.iter().any(|variable| variable.name() == text)
    {
        let known: Vec<_> = variables.iter().map(Variable::name).collect();
        errors.at(name, unknown("variable", &text, &known));
    } else if !seen.insert(text.clone()) {
        errors.at(name, format_args!("duplicate variable `{text}`: keep one"));
    }
}

/// The code or the list of one variable.
fn completer(name: &Key, value: &Value, variable: Option<&Variable>, errors: &mut Errors) -> Option<Argument> {
    let name = record::written(name);
    if is_fixed(value) || value.is_fields() {
        let remedy = "write `|cx, typed| async move { … }`, or a list as in `[\"open\", \"closed\"]`";
        return reject(value, format_args!("`{name}` is completed by code or by a list: {remedy}"), errors);
    }
    let Some(closure) = value.closure() else {
        check_values(value, variable, errors);
        // Only another expression may be the name of a function.
        let is_literal = value.list().is_some();
        return Some(if is_literal { expression(value) } else { Argument::Values(value.clone()) });
    };
    codes::check(value, errors);
    check_parameters(&name, closure, errors).then(|| Argument::Code("TemplateBuilder", value.clone()))
}

/// Reports literal values that the variable could not carry: `build()` does not see them, and no client would get them.
fn check_values(list: &Value, variable: Option<&Variable>, errors: &mut Errors) {
    let Some(variable) = variable else { return };
    for value in list.list().into_iter().flatten() {
        if matches!(value.literal().map(|literal| literal.lit), Some(Lit::Str(_))) {
            checked_string("value", &value, |text| variable.check(text), errors);
        }
    }
}

/// Counts a closure's parameters: the compiler's own error about them does not tell what the second one is.
fn check_parameters(name: &str, closure: Closure, errors: &mut Errors) -> bool {
    let takes = format!("the completer of `{name}` takes the context");
    if let Some(third) = closure.parameters.get(2) {
        let remedy = "get the values of other variables by `typed.other(\"…\")`";
        errors.at(third, format_args!("{takes} and what is typed, no more: {remedy}"));
    } else if closure.parameters.len() < 2 {
        errors.at(closure.bars, format_args!("{takes} and what is typed: write `|cx, typed|`"));
    } else if closure.has_context_last() {
        errors.at(closure.bars, format_args!("{takes} first, then what is typed: write `|cx, typed|`"));
    } else {
        return true;
    }
    false
}
