//! One request to an extension: runs the author's code, then encodes its answer.

use std::sync::Arc;

use bytes::Bytes;

use super::extension::Extension;
use super::message::{ExtensionAnswer, ExtensionError, ExtensionParams, Problem};
use crate::call::Reply;
use crate::define::Context;
use crate::model::CacheHints;
use crate::rejection::Rejection;
use crate::rpc::Code;
use crate::task::{BoxFuture, Concluded, Handler, NoAnswer, Scope};

/// One request to an extension.
pub(super) struct Answer {
    pub(super) extension: Arc<dyn Extension>,
    pub(super) method: &'static str,
    pub(super) request: Bytes,
    /// The defaults for answers with cache hints.
    pub(super) hints: CacheHints,
}

impl From<ExtensionError> for NoAnswer {
    fn from(error: ExtensionError) -> Self {
        match error.0 {
            Problem::InvalidParams(message) => {
                Self::Rejection(Rejection::Author { code: Code::INVALID_PARAMS.0, message, data: None })
            }
            Problem::NoRoom => Self::Rejection(Rejection::Busy),
            Problem::Other(cause) => cause.into(),
        }
    }
}

impl Handler for Answer {
    type Outcome = Result<ExtensionAnswer, ExtensionError>;

    const NAME: &'static str = "extension";

    fn start(&mut self, context: &Context) -> BoxFuture<Self::Outcome> {
        let (extension, method, context) = (self.extension.clone(), self.method, context.clone());
        let params = ExtensionParams::of_request(self.request.clone(), context.clone());
        Box::pin(async move { extension.answer(context, method, params).await })
    }

    fn conclude(&mut self, scope: &Scope<'_>, outcome: Self::Outcome) -> Concluded {
        let ExtensionAnswer { members, cache } = outcome?;
        let cache = cache.map(|(ttl, scope)| CacheHints {
            ttl: ttl.unwrap_or(self.hints.ttl),
            scope: scope.unwrap_or(self.hints.scope),
        });
        Ok(scope.writer.write(Reply { cache, ..Reply::members(members) }))
    }
}
