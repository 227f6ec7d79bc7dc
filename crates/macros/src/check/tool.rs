//! The keys of a tool, and the builder's last method for its `call`.
//!
//! A tool has no payload and no base. The keys that it shares with a resource have the same rules.

use proc_macro2::Span;
use syn::Ident;
use syn::ext::IdentExt as _;

use super::definition::{Argument, Call, Tool};
use super::record::{NO_BASE, Record};
use super::{forms, rules, ui};
use crate::errors::Errors;
use crate::parse::{self, Entries};

const TOOL: Record = Record::new(&[
    ("name", rules::tool_name),
    ("title", rules::string),
    ("description", rules::string),
    ("annotations", forms::tool_annotations),
    ("icons", forms::icons),
    ("meta", forms::meta),
    ("ui", ui::link),
    ("input_schema", forms::input_schema),
    ("output_schema", forms::output_schema),
    ("call", rules::call),
])
.with_misplaced(&[("complete", "is no key of a tool: say in the description what an argument may be")]);

/// Checks one definition.
pub(crate) fn tool(parsed: parse::Definition, errors: &mut Errors) -> Tool {
    let Entries { entries, base } = parsed.entries;
    if let Some(base) = base {
        errors.at(base.dots, NO_BASE);
    }
    let present = TOOL.present(&entries);
    check_missing(|key| !present.contains(key), parsed.span, errors);
    // It is the last call of the chain wherever it is written. A second one is already reported.
    let is_ending = |call: &Call| call.method.unraw() == "call";
    let (endings, calls): (Vec<_>, Vec<_>) = TOOL.calls(&entries, errors).into_iter().partition(is_ending);
    let has_schema = present.contains("input_schema");
    Tool { calls, ending: endings.into_iter().next().map(|ending| self::ending(ending, has_schema)) }
}

fn check_missing(is_missing: impl Fn(&str) -> bool, place: Span, errors: &mut Errors) {
    if is_missing("name") {
        errors.at_span(place, "`name` is missing: add one, as in `name: \"read_file\"`");
    }
    if is_missing("call") {
        let example = "call: |cx, args: Arguments| async move { … }";
        errors.at_span(place, format_args!("`call` is missing: add what the tool does, as in `{example}`"));
    }
}

/// The method for a closure with one parameter or two. Any other expression counts as a function with two.
fn ending(Call { method, argument }: Call, has_schema: bool) -> Call {
    let closure = match &argument {
        Argument::Code(_, value) => value.closure(),
        _ => None,
    };
    let name = match closure {
        Some(closure) if closure.parameters.len() == 1 => "call_without_arguments",
        _ if has_schema => "call_with_schema",
        _ => "call",
    };
    Call { method: Ident::new(name, method.span()), argument }
}
