//! A call of a tool: its arguments read, the author's code, and its result validated before it leaves.

use bytes::Bytes;

use super::handle::Job;
use super::read::public;
use super::run::{Boxed, Run, Running, Task};
use crate::call::Reply;
use crate::define::{Cause, ReadError, ReadFailure, Tool, ToolError};
use crate::era;
use crate::fault::Fault;
use crate::model::ToolResult;
use crate::rpc::{Wire, cut};

/// A tool, and its arguments as JSON.
struct Call {
    tool: Tool,
    arguments: Bytes,
}

impl Job {
    /// Calls a tool.
    pub(crate) fn call(running: Running, tool: Tool, arguments: Bytes) -> Self {
        Run::job(running, Call { tool, arguments })
    }
}

/// Why there is no result.
enum CallError {
    Arguments(String),
    Tool(ToolError),
}

impl Task for Call {
    type Output = ToolResult;
    type Error = CallError;

    const NAME: &'static str = "call";

    fn start(&self, running: &Running) -> Boxed<Self> {
        let arguments = std::str::from_utf8(&self.arguments).unwrap_or_default();
        let started = match &self.tool.definition().handler {
            Some(handler) => handler(running.context.clone(), arguments),
            None => Err(String::new()),
        };
        Box::pin(async move {
            match started {
                Ok(call) => call.await.map_err(CallError::Tool),
                Err(fault) => Err(CallError::Arguments(fault)),
            }
        })
    }

    fn conclude(
        &self,
        running: &Running,
        outcome: Result<ToolResult, CallError>,
    ) -> Result<Result<Wire, Fault>, ReadFailure> {
        let result = match outcome {
            Ok(result) => result,
            Err(CallError::Tool(error)) => match error.told() {
                Ok(told) => told,
                Err(Cause::NotFound) => return Err(ReadError::not_found().into()),
                Err(cause) => return public(cause).map(Err),
            },
            Err(CallError::Arguments(fault)) => {
                let fault = cut(&fault);
                if !running.era.tools.argument_results {
                    return Ok(Err(Fault::InvalidParams(format!("\"arguments\": {fault}").into())));
                }
                ToolResult::error(format!("Invalid arguments: {fault}"))
            }
        };
        self.encode(running, &result).map(Ok)
    }
}

impl Call {
    fn encode(&self, running: &Running, result: &ToolResult) -> Result<Wire, ReadFailure> {
        let faults = self.tool.definition().result_faults(result);
        if !faults.is_empty() {
            return Err(ReadFailure::InvalidResult(faults));
        }
        let Running { server, era, id, .. } = running;
        let reply = Reply { meta: Some(&result.meta), ..Reply::members(era::tool_result(result, era)) };
        Ok(server.write_reply(era, id.token(), reply))
    }
}
