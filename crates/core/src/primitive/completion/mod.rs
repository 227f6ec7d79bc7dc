//! Completion of arguments, for every primitive that has some: what completes an argument, the task that runs it, and the JSON names.
//!
//! Not here: which arguments there are (`primitive/template/`).

mod completable;
mod completer;
mod filter;
mod selection;
mod task;
mod wire;

pub(crate) use completable::Completable;
pub(crate) use completer::{Completer, Completers};
pub(crate) use wire::EMPTY;
