//! One call of a tool: reads the arguments, runs the author's code, then validates and encodes its result.

use bytes::Bytes;

use super::builder::Tool;
use super::wire;
use crate::call::Reply;
use crate::define::{Context, HandlerFailure, NotAdmitted, ToolError};
use crate::era::{Era, ReplyWriter};
use crate::model::ToolResult;
use crate::rejection::Rejection;
use crate::rpc::{Wire, truncate};
use crate::task::{BoxFuture, Concluded, Handler, Scope};

/// The initial capacity for an encoded result, in bytes.
const SIZE: usize = 256;

/// One call of a tool.
pub(super) struct Call {
    tool: Tool,
    /// The arguments as JSON.
    arguments: Bytes,
}

/// Why there is no result.
pub(super) enum CallError {
    Arguments(String),
    /// The values of the arguments find no room.
    NoRoom,
    Tool(ToolError),
}

impl Call {
    pub(super) fn new(tool: Tool, arguments: Bytes) -> Self {
        Self { tool, arguments }
    }

    fn encode(&self, scope: &Scope<'_>, result: &ToolResult) -> Concluded {
        let problems = self.tool.definition().result_problems(result);
        if !problems.is_empty() {
            return Err(HandlerFailure::InvalidResult(problems).into());
        }
        Ok(write_result(&scope.writer, result))
    }
}

/// The answer with a result that has no problems.
pub(crate) fn write_result(writer: &ReplyWriter<'_>, result: &ToolResult) -> Wire {
    let reply = Reply { meta: Some(&result.meta), ..Reply::default() };
    writer.write_with(&reply, SIZE, |out, era| wire::result(out, result, era))
}

/// The result for arguments that do not fit, which the model reads; an error in revisions without it.
pub(crate) fn invalid_arguments(problem: &str, era: &Era) -> Result<ToolResult, Rejection> {
    let problem = truncate(problem);
    if era.tools.argument_results {
        Ok(ToolResult::error(format!("Invalid arguments: {problem}")))
    } else {
        Err(Rejection::InvalidParams(format!("\"arguments\": {problem}").into()))
    }
}

impl Handler for Call {
    type Outcome = Result<ToolResult, CallError>;

    const NAME: &'static str = "call";

    fn start(&mut self, context: &Context) -> BoxFuture<Self::Outcome> {
        let arguments = std::str::from_utf8(&self.arguments).unwrap_or_default();
        let admitted = context.admit(arguments).map_err(|not_admitted| match not_admitted {
            NotAdmitted::TooMany(problem) => CallError::Arguments(problem),
            NotAdmitted::NoRoom => CallError::NoRoom,
        });
        let start = |()| (self.tool.definition().handler)(context.clone(), arguments).map_err(CallError::Arguments);
        let started = admitted.and_then(start);
        Box::pin(async move { started?.await.map_err(CallError::Tool) })
    }

    fn conclude(&mut self, scope: &Scope<'_>, outcome: Self::Outcome) -> Concluded {
        match outcome {
            Ok(result) => self.encode(scope, &result),
            Err(CallError::Tool(error)) => self.encode(scope, &error.told()?),
            Err(CallError::NoRoom) => Err(Rejection::Busy.into()),
            Err(CallError::Arguments(problem)) => self.encode(scope, &invalid_arguments(&problem, scope.writer.era)?),
        }
    }
}
