//! What has arguments to complete, and the completion of one of them.

use super::completer::Completers;
use super::selection::Check;
use super::task::Complete;
use super::wire::EMPTY;
use crate::call;
use crate::call::Reply;
use crate::catalog::Found;
use crate::define::CompleteRequest;
use crate::era::Era;
use crate::model::{Target, Text};
use crate::rejection::Rejection;
use crate::rpc::truncate;
use crate::task::task;

/// A definition whose arguments can be completed.
pub(crate) struct Completable<'a> {
    /// What a client names it by.
    pub(crate) reference: &'a Text,
    /// What it calls an argument, as `variable`.
    pub(crate) noun: &'static str,
    /// The names of its arguments.
    pub(crate) names: Vec<&'a str>,
    pub(crate) completers: &'a Completers,
}

impl Completable<'_> {
    /// The completion of an argument: a reply without values if nothing completes it. `check` finds the problem of a value that the
    /// argument could not carry.
    pub(crate) fn complete(&self, call: &call::Complete<'_>, check: Check, era: &Era) -> Result<Found, Rejection> {
        let others = era.other_arguments(call, &self.names)?;
        if !self.names.contains(&call.name.as_str()) {
            return Err(self.unknown(&call.name));
        }
        let Some((name, completer)) = self.completers.find(&call.name) else {
            return Ok(Found::Reply(Reply::members(EMPTY)));
        };
        let request = CompleteRequest::new(name.clone(), call.value.clone());
        let add = |request: CompleteRequest, (name, value): (&str, String)| request.with_other(name.to_owned(), value);
        let request = others.into_iter().fold(request, add);
        let target = Target::Completion { reference: self.reference.clone(), argument: name.clone() };
        Ok(Found::Task(target, task(Complete { completer: completer.clone(), request, check })))
    }

    fn unknown(&self, name: &str) -> Rejection {
        let Self { reference, noun, names, .. } = self;
        let (name, names) = (truncate(name), names.join(", "));
        Rejection::UnknownArgument(format!(
            "\"argument.name\" must be a {noun} of {reference:?} ({names}), not {name:?}"
        ))
    }
}
