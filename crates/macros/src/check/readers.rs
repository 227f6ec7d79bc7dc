//! Rules for the code of a resource or a template: its reader, and the check for subscriptions.
//!
//! Not here: the code of tools (`rules`) and of completers (`complete`), which take other parameters.

use super::codes;
use super::definition::Argument;
use super::rules::{is_fixed, reject};
use crate::errors::Errors;
use crate::parse::{Closure, Value};

pub(super) fn read(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    if is_fixed(value) {
        let remedy = "write `|cx| async move { … }`, or give fixed contents as `text` or `bytes`";
        return reject(value, format_args!("{key} is a reader: {remedy}"), errors);
    }
    Some(code("ResourceBuilder", value, errors))
}

/// What decides whether a client may subscribe to changes.
pub(super) fn check(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    if is_no_code(value) {
        let remedy = "write `|cx| async move { Ok(…) }`, with `true` for a client that may subscribe";
        return reject(value, format_args!("{key} is code: {remedy}"), errors);
    }
    Some(code("ResourceBuilder", value, errors))
}

pub(super) fn template_read(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    if is_no_code(value) {
        let remedy = "write `|cx, Order { id }| async move { … }`, with the values of the variables";
        return reject(value, format_args!("{key} is a reader: {remedy}"), errors);
    }
    with_values(key, value, errors)
}

pub(super) fn template_check(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    if is_no_code(value) {
        let remedy = "write `|cx, Order { id }| async move { Ok(…) }`, with `true` for a client that may subscribe";
        return reject(value, format_args!("{key} is code: {remedy}"), errors);
    }
    with_values(key, value, errors)
}

fn is_no_code(value: &Value) -> bool {
    is_fixed(value) || value.list().is_some() || value.is_fields()
}

fn with_values(key: &str, value: &Value, errors: &mut Errors) -> Option<Argument> {
    let code = code("TemplateBuilder", value, errors);
    let has_fitting = value.closure().is_none_or(|closure| check_parameters(key, &closure, errors));
    has_fitting.then_some(code)
}

fn code(builder: &'static str, value: &Value, errors: &mut Errors) -> Argument {
    codes::check(value, errors);
    Argument::Code(builder, value.clone())
}

/// Counts a closure's parameters: the compiler's own error about them does not tell what the second one is.
fn check_parameters(key: &str, closure: &Closure, errors: &mut Errors) -> bool {
    if let Some(third) = closure.parameters.get(2) {
        let remedy = "make it a field of the values' type";
        errors.at(third, format_args!("{key} takes the context and the values, no more: {remedy}"));
    } else if closure.parameters.len() < 2 {
        let remedy = "write `|cx, Order { id }|`, or `|cx, id: u64|` for one variable";
        errors.at(&closure.bars, format_args!("{key} takes the context and the values of the variables: {remedy}"));
    } else if closure.has_context_last() {
        let remedy = "write `|cx, Order { id }|`";
        errors.at(&closure.bars, format_args!("{key} takes the context first, then the values: {remedy}"));
    } else {
        return true;
    }
    false
}
