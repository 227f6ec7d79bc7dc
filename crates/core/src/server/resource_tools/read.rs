//! A call of `read_resource`: a read like any other, with another answer. Contents become content blocks, and what a read would
//! answer with an error becomes a failed result.

use crate::define::{Cause, Context, ReadError, ToolError};
use crate::era::{ReplyWriter, Status};
use crate::model::{ContentBlock, Contents, IntoToolResult, Item, Payload, ToolResult};
use crate::primitive::{Read, write_result};
use crate::rejection::Rejection;
use crate::rpc::Wire;
use crate::task::{BoxFuture, Concluded, Handler, Scope, WriteRejection};

pub(super) struct ReadAsTool(pub(super) Read);

impl Handler for ReadAsTool {
    type Outcome = Result<Contents, ReadError>;

    const NAME: &'static str = "call";

    const WRITE_REJECTION: WriteRejection = write_rejection;

    fn start(&mut self, context: &Context) -> BoxFuture<Self::Outcome> {
        self.0.begin(context)
    }

    fn conclude(&mut self, scope: &Scope<'_>, outcome: Self::Outcome) -> Concluded {
        let contents = Read::checked(scope.context, outcome)?;
        Ok(write_result(&scope.writer, &result(self.0.definition().owned(contents))))
    }
}

/// The contents of items that all have a URI.
fn result(contents: Contents) -> ToolResult {
    let blocks: Vec<_> = contents.items.into_iter().map(block).collect();
    let mut result = blocks.into_tool_result();
    result.meta = contents.meta;
    result
}

fn block(item: Item) -> ContentBlock {
    match item.payload {
        Payload::Text(text) => ContentBlock { meta: item.meta, ..ContentBlock::text(text) },
        Payload::Bytes(_) | Payload::Base64(_) => ContentBlock::resource(item),
    }
}

/// The failed result that the model reads in place of an error; `None` for an error that its client has to act on.
pub(super) fn failed(rejection: &Rejection) -> Option<ToolResult> {
    match rejection {
        Rejection::Author { code, message, data } => {
            let (code, message, data) = (*code, message.clone(), data.clone());
            ToolError::from(ReadError(Cause::Public { code, message, data })).told().ok()
        }
        Rejection::Internal | Rejection::LongUri | Rejection::UnknownCursor | Rejection::UnknownResource { .. } => {
            Some(ToolResult::error(rejection.message().into_owned()))
        }
        _ => None,
    }
}

fn write_rejection(writer: &ReplyWriter<'_>, rejection: &Rejection) -> (Wire, Status) {
    match failed(rejection) {
        Some(result) => (write_result(writer, &result), Status::Ok),
        None => writer.era.write_rejection(Some(writer.id), rejection),
    }
}
