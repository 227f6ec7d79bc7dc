//! Reads the parameters of `completion/complete`, and which of its context a revision has.
//!
//! Not here: what a reference names (`server/primitives.rs`), and how its argument is completed (`primitive/completion/`).

use super::row::{Era, typed};
use crate::call::{Call, Complete, Reference};
use crate::rejection::Rejection;
use crate::rpc::{NotStrings, Params, Raw, truncate};

pub(super) fn complete<'a>(params: &'a Params<'a>) -> Result<Call<'a>, Rejection> {
    let params = typed(params)?;
    let reference = reference(object("ref", params.optional("ref"))?)?;
    let argument = object("argument", params.optional("argument"))?;
    let name = string("argument.name", argument.member("name"))?;
    let value = string("argument.value", argument.member("value"))?;
    Ok(Call::Complete(Box::new(Complete { reference, name, value, context: params.optional("context") })))
}

/// Revisions name the type of a reference to a template differently. It has one form in all of them.
fn reference(reference: Raw<'_>) -> Result<Reference, Rejection> {
    match &*string("ref.type", reference.member("type"))? {
        "ref/resource" => Ok(Reference::Resource(string("ref.uri", reference.member("uri"))?)),
        "ref/prompt" => Ok(Reference::Prompt(string("ref.name", reference.member("name"))?)),
        other => {
            let other = truncate(other);
            Err(invalid(format!("\"ref.type\" must be \"ref/resource\" or \"ref/prompt\", not {other:?}")))
        }
    }
}

fn object<'a>(name: &str, value: Option<Raw<'a>>) -> Result<Raw<'a>, Rejection> {
    match value {
        Some(value) if value.is_object() => Ok(value),
        Some(value) => Err(invalid(format!("\"{name}\" must be an object, not {}", value.kind()))),
        None => Err(invalid(format!("\"{name}\" is missing: it must be an object"))),
    }
}

fn string(name: &str, value: Option<Raw<'_>>) -> Result<String, Rejection> {
    let Some(value) = value else { return Err(invalid(format!("\"{name}\" is missing: it must be a string"))) };
    value.as_string().ok_or_else(|| invalid(format!("\"{name}\" must be a string, not {}", value.kind())))
}

fn invalid(problem: String) -> Rejection {
    Rejection::InvalidParams(problem.into())
}

impl Era {
    /// The values that a client sent of the other arguments with these names; none if the revision does not have them.
    pub(crate) fn other_arguments<'n>(
        &self,
        complete: &Complete<'_>,
        names: &[&'n str],
    ) -> Result<Vec<(&'n str, String)>, Rejection> {
        let Some(context) = complete.context.filter(|_| self.completion_context) else { return Ok(Vec::new()) };
        let context = object("context", Some(context))?;
        let Some(arguments) = context.member("arguments").filter(|arguments| !arguments.is_null()) else {
            return Ok(Vec::new());
        };
        arguments.strings(names).map_err(|error| match error {
            NotStrings::NotAnObject | NotStrings::NotAnArray => {
                invalid(format!("\"context.arguments\" must be an object of strings, not {}", arguments.kind()))
            }
            NotStrings::Member(name) => {
                invalid(format!("\"context.arguments\" must have strings only, and {:?} is none", truncate(&name)))
            }
        })
    }
}
