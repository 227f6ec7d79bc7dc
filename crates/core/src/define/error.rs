//! The errors that author code returns: [`ReadError`] and [`ToolError`]. The failure that the author gets is in
//! `handler_failure.rs`.
//!
//! They are separate types so that `?` works on every error: `ReadError` converts from any error and can therefore not
//! be an `Error` itself. `HandlerFailure` is an `Error`, and also covers the failures that the engine finds.

use std::any::Any;
use std::error::Error;
use std::panic::Location;

use serde::Serialize;
use serde_json::Value;

use super::missing::Missing;
use super::thread_safe::ThreadSafeError;
use crate::model::{Text, ToolResult};
use crate::rpc::Code;

/// The error of a reader.
///
/// Any error converts with `?`: the client then gets `Internal error` and nothing more, and `on_error` gets the
/// original. An error that the client should see is made on purpose:
///
/// ```
/// use grange_core::ReadError;
/// let gone = ReadError::not_found();
/// let quota = ReadError::public(4290, "quota exhausted").data(serde_json::json!({ "retryAfterMs": 500 }));
/// let private: ReadError = std::io::Error::other("disk on fire").into();
/// ```
#[derive(Debug)]
pub struct ReadError(pub(crate) Cause);

#[derive(Debug)]
pub(crate) enum Cause {
    NotFound,
    Public {
        code: i64,
        message: String,
        data: Option<Value>,
    },
    MissingCapabilities(Value),
    /// The scopes are separated by spaces.
    MissingScopes(Text),
    Private(Box<dyn Error + Send + Sync>),
    Provider {
        provides: &'static str,
        error: Box<dyn Error + Send + Sync>,
    },
    MissingProvider(Missing),
    ProviderCycle(&'static str),
    /// A public error with a code that JSON-RPC or MCP reserves.
    Reserved {
        code: i64,
        at: &'static Location<'static>,
    },
}

impl ReadError {
    /// The resource does not exist. The revision decides the code, and the client gets its URI back.
    pub fn not_found() -> Self {
        Self(Cause::NotFound)
    }

    /// An error for the client: a code of your own, outside -32768…-32000, and a message. In a tool it becomes a failed
    /// result, because [a code of your own does harm there](ToolError::protocol).
    ///
    /// A code in that range belongs to JSON-RPC and MCP: the client then gets `Internal error`, and `on_error` gets the
    /// code with the file and line where the error was made.
    #[track_caller]
    pub fn public(code: i64, message: impl Into<String>) -> Self {
        if Code::is_reserved(code) {
            return Self(Cause::Reserved { code, at: Location::caller() });
        }
        Self(Cause::Public { code, message: message.into(), data: None })
    }

    /// The client did not declare capabilities that this read needs, as in
    /// `serde_json::json!({ "sampling": {} })`.
    pub fn missing_capabilities(required: impl Serialize) -> Self {
        Self(Cause::MissingCapabilities(serde_json::to_value(required).unwrap_or_default()))
    }

    /// The caller's token lacks scopes that this read needs, separated by spaces as in `files:read files:list`. Over
    /// HTTP, unless the answer is already a stream, the status is 403, and the challenge asks the client for a token
    /// that has them.
    pub fn missing_scopes(scopes: impl Into<Text>) -> Self {
        Self(Cause::MissingScopes(scopes.into()))
    }

    /// Adds `data` to a public error. Data that is not JSON is left out; on other errors this does nothing.
    #[must_use]
    pub fn data(mut self, value: impl Serialize) -> Self {
        if let Cause::Public { data, .. } = &mut self.0 {
            *data = serde_json::to_value(value).ok();
        }
        self
    }
}

impl<E: ThreadSafeError> From<E> for ReadError {
    fn from(error: E) -> Self {
        Self(Cause::Private(error.into_boxed()))
    }
}

/// The error of a tool.
///
/// Any error converts with `?`: the client then gets `Internal error` and nothing more, and `on_error` gets the
/// original. An error that the model should read is made on purpose:
///
/// ```
/// use grange_core::ToolError;
/// let failed = ToolError::failed("There is no such file: pass one of `files://…` that the list shows.");
/// let busy = ToolError::failed("Too many orders, try again later.").data(serde_json::json!({ "retryAfterMs": 500 }));
/// let private: ToolError = std::io::Error::other("disk on fire").into();
/// ```
#[derive(Debug)]
pub struct ToolError(pub(crate) ToolCause);

#[derive(Debug)]
pub(crate) enum ToolCause {
    /// A failure that the model reads.
    Failed(Told),
    /// A protocol error that the author chose.
    Protocol(Cause),
    /// An error that a reader can have too.
    Other(Cause),
}

/// A failure that the model reads.
#[derive(Debug)]
pub(crate) struct Told {
    pub(super) text: Text,
    data: Option<Value>,
    /// The code of a public error that was made for a read.
    code: Option<i64>,
}

impl From<Told> for ToolResult {
    /// The data is a text block of its own and never structured content, which would have to match the tool's output
    /// schema. Hosts with structured content also show the model nothing else.
    fn from(told: Told) -> Self {
        let result = Self::error(told.text);
        let result = told.data.into_iter().fold(result, |result, data| result.text(data.to_string()));
        told.code.into_iter().fold(result, |result, code| result.meta(CODE, code))
    }
}

/// The key of a public error's code in the `_meta` of a failed result.
const CODE: &str = "grange/code";

impl ToolError {
    /// A failure that the model reads, so that it can correct its call: a result with `isError`.
    pub fn failed(text: impl Into<Text>) -> Self {
        Self(ToolCause::Failed(Told { text: text.into(), data: None, code: None }))
    }

    /// A protocol error, for a client that is known to need one: a code of your own, outside -32768…-32000, and a
    /// message. The model may never read it; for the model, use [`failed`](Self::failed).
    ///
    /// **Some hosts treat an unknown code as a broken connection, restart the server and call the tool again.** A tool
    /// that has already changed something then changes it twice.
    #[track_caller]
    pub fn protocol(code: i64, message: impl Into<String>) -> Self {
        Self(ToolCause::Protocol(ReadError::public(code, message).0))
    }

    /// The client did not declare capabilities that this call needs, as in `serde_json::json!({ "sampling": {} })`. It
    /// is a protocol error: return it before the tool changes anything, because some hosts [call
    /// again](Self::protocol).
    pub fn missing_capabilities(required: impl Serialize) -> Self {
        ReadError::missing_capabilities(required).into()
    }

    /// The caller's token lacks scopes that this call needs; see [`ReadError::missing_scopes`]. It is a protocol error,
    /// with the status 403 over HTTP: return it before the tool changes anything, because some hosts [call
    /// again](Self::protocol).
    pub fn missing_scopes(scopes: impl Into<Text>) -> Self {
        ReadError::missing_scopes(scopes).into()
    }

    /// Adds `data`: to a failure as another block of text, which the model reads as JSON; to a protocol error as its
    /// `data`. Data that is not JSON is left out. On other errors this does nothing.
    #[must_use]
    pub fn data(self, value: impl Serialize) -> Self {
        Self(match self.0 {
            ToolCause::Failed(told) => ToolCause::Failed(Told { data: serde_json::to_value(value).ok(), ..told }),
            ToolCause::Protocol(cause) => ToolCause::Protocol(ReadError(cause).data(value).0),
            ToolCause::Other(cause) => ToolCause::Other(ReadError(cause).data(value).0),
        })
    }

    /// The result for the model, or the cause of an error for the client.
    pub(crate) fn told(self) -> Result<ToolResult, Cause> {
        match self.0 {
            ToolCause::Failed(told) => Ok(told.into()),
            // A read's public error that comes by `?` must not end the call with a code that hosts do not know.
            ToolCause::Other(Cause::Public { code, message, data }) => {
                Ok(Told { text: message.into(), data, code: Some(code) }.into())
            }
            ToolCause::Protocol(cause) | ToolCause::Other(cause) => Err(cause),
        }
    }
}

impl From<ReadError> for ToolError {
    fn from(error: ReadError) -> Self {
        Self(ToolCause::Other(error.0))
    }
}

impl<E: ThreadSafeError> From<E> for ToolError {
    fn from(error: E) -> Self {
        Self(ToolCause::Other(Cause::Private(error.into_boxed())))
    }
}

/// The message of a panic.
pub(crate) fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}
