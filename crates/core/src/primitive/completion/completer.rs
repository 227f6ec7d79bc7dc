//! What completes an argument: author code, or a list of values that is filtered here.

use std::future::ready;
use std::sync::Arc;

use super::filter::List;
use crate::define::{AsyncCode, CompleteRequest, Context, ReadError, ReadOutcome};
use crate::model::{Completion, IntoCompletion, Text};
use crate::task::BoxFuture;

/// The future of a completer.
type BoxCompletion = BoxFuture<Result<Completion, ReadError>>;

/// What completes one argument.
#[derive(Clone)]
pub(crate) enum Completer {
    Code(Arc<dyn Fn(Context, CompleteRequest) -> BoxCompletion + Send + Sync>),
    List(Arc<List>),
}

impl Completer {
    pub(crate) fn code<F, Fut, O>(code: F) -> Self
    where
        F: Fn(Context, CompleteRequest) -> Fut + Send + Sync + 'static,
        Fut: AsyncCode<Output = O> + Send + 'static,
        O: ReadOutcome,
        O::Contents: IntoCompletion,
    {
        Self::Code(Arc::new(move |cx, request| {
            let completing = code(cx, request);
            Box::pin(async move { completing.await.into_result().map(IntoCompletion::into_completion) })
        }))
    }

    pub(crate) fn list(values: impl IntoIterator<Item: ToString>) -> Self {
        Self::List(Arc::new(List::new(Completion::new(values).values)))
    }

    /// Starts the completion.
    pub(crate) fn complete(&self, context: Context, request: CompleteRequest) -> BoxCompletion {
        match self {
            Self::Code(code) => code(context, request),
            Self::List(list) => {
                let values = list.filter(request.value());
                Box::pin(ready(Ok(Completion { values, ..Completion::default() })))
            }
        }
    }
}

/// The completers of one definition, by the names of their arguments.
#[derive(Clone, Default)]
pub(crate) struct Completers(Vec<(Text, Completer)>);

impl Completers {
    /// Adds a completer, or replaces the one of that name.
    pub(crate) fn insert(&mut self, name: Text, completer: Completer) {
        self.0.retain(|(other, _)| *other != name);
        self.0.push((name, completer));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn find(&self, name: &str) -> Option<&(Text, Completer)> {
        self.0.iter().find(|(other, _)| *other == name)
    }

    /// The problems of completers for names that the definition does not have, each with its remedy. `noun` is what it calls them.
    pub(crate) fn problems(&self, noun: &str, names: &[&str]) -> Vec<String> {
        let unknown = self.0.iter().filter(|(name, _)| !names.contains(&name.as_str()));
        let problem = |(name, _): &(Text, _)| {
            let names = names.join("`, `");
            format!("`{name}` is completed, which is no {noun}: name one of `{names}`")
        };
        unknown.map(problem).collect()
    }
}
