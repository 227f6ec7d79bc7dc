//! One completion: runs its completer, then selects and encodes the values.

use super::completer::Completer;
use super::selection::{Check, Selection};
use super::wire;
use crate::call::Reply;
use crate::define::{CompleteRequest, Context, HandlerFailure, ReadError};
use crate::model::Completion;
use crate::task::{BoxFuture, Concluded, Handler, NoAnswer, Scope};

/// The initial capacity for an encoded completion, in bytes.
const SIZE: usize = 512;

/// One completion.
pub(super) struct Complete {
    pub(super) completer: Completer,
    pub(super) request: CompleteRequest,
    pub(super) check: Check,
}

impl Handler for Complete {
    type Outcome = Result<Completion, ReadError>;

    const NAME: &'static str = "complete";

    fn start(&mut self, context: &Context) -> BoxFuture<Self::Outcome> {
        self.completer.complete(context.clone(), self.request.clone())
    }

    fn conclude(&mut self, scope: &Scope<'_>, outcome: Self::Outcome) -> Concluded {
        let completion = outcome.map_err(|ReadError(cause)| NoAnswer::from(cause))?;
        let mut selection = Selection::new(&completion, &self.check);
        let problems = std::mem::take(&mut selection.problems);
        if !problems.is_empty() {
            (scope.report)(&HandlerFailure::InvalidCompletion(problems));
        }
        Ok(scope.writer.write_with(&Reply::default(), SIZE, |out, _| wire::completion(out, &selection)))
    }
}
