//! What author code returns when it fails: [`ReadError`] and [`ToolError`]. What the author is told is in `told.rs`.
//!
//! The two differ so that `?` works on everything: `ReadError` converts from any error and is therefore no `Error`
//! itself; `ReadFailure` is one, and carries what the framework found too.

use std::any::Any;
use std::error::Error;
use std::panic::Location;

use serde::Serialize;
use serde_json::Value;

use super::missing::Missing;
use super::thread_safe::ThreadSafeError;
use crate::model::{Text, ToolResult};
use crate::rpc::Code;

/// Why a reader has no contents to give.
///
/// Any error converts with `?`; the client then sees `Internal error` and nothing more, while `on_error` gets the
/// original. What the client should see is said on purpose:
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
    /// Separated by spaces.
    MissingScopes(Text),
    Private(Box<dyn Error + Send + Sync>),
    Provider {
        provides: &'static str,
        error: Box<dyn Error + Send + Sync>,
    },
    MissingProvider(Missing),
    ProviderCycle(&'static str),
    /// A public error with a code that is not the author's to give.
    Reserved {
        code: i64,
        at: &'static Location<'static>,
    },
}

impl ReadError {
    /// The resource does not exist (any more). The revision picks the code; the client gets the URI it asked for.
    pub fn not_found() -> Self {
        Self(Cause::NotFound)
    }

    /// An error meant for the client: a code of your own, outside -32768…-32000, and a message. Inside a tool it becomes a
    /// failed result, since [a code of your own harms there](ToolError::protocol).
    ///
    /// A code of that range belongs to JSON-RPC and MCP: the client then sees `Internal error`, and `on_error` gets the code with
    /// the file and line where the error was made.
    #[track_caller]
    pub fn public(code: i64, message: impl Into<String>) -> Self {
        if Code::is_reserved(code) {
            return Self(Cause::Reserved { code, at: Location::caller() });
        }
        Self(Cause::Public { code, message: message.into(), data: None })
    }

    /// The client did not declare capabilities that this read cannot do without, as in
    /// `serde_json::json!({ "sampling": {} })`.
    pub fn missing_capabilities(required: impl Serialize) -> Self {
        Self(Cause::MissingCapabilities(serde_json::to_value(required).unwrap_or_default()))
    }

    /// Whoever asks may not have this without more scopes, separated by spaces as in `files:read files:list`. Over HTTP, unless the
    /// answer is a stream already, the status is 403 and the challenge tells the client to come back with a token that has them.
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

/// Why a tool has no result to give.
///
/// Any error converts with `?`; the client then sees `Internal error` and nothing more, while `on_error` gets the
/// original. What the model should read is said on purpose:
///
/// ```
/// use grange_core::ToolError;
/// let told = ToolError::failed("There is no such file: pass one of `files://…` that the list shows.");
/// let busy = ToolError::failed("Too many orders, try again later.").data(serde_json::json!({ "retryAfterMs": 500 }));
/// let private: ToolError = std::io::Error::other("disk on fire").into();
/// ```
#[derive(Debug)]
pub struct ToolError(pub(crate) ToolCause);

#[derive(Debug)]
pub(crate) enum ToolCause {
    /// Told to the model.
    Failed(Told),
    /// A protocol error, on purpose.
    Protocol(Cause),
    /// As of a read.
    Other(Cause),
}

/// A failure as the model reads it.
#[derive(Debug)]
pub(crate) struct Told {
    pub(super) text: Text,
    data: Option<Value>,
    /// Of an error that was made for a read.
    code: Option<i64>,
}

impl From<Told> for ToolResult {
    /// The data is a block of its own, and never structured content: that would have to fit the tool's output schema, and hosts
    /// that have structured content show the model nothing else.
    fn from(told: Told) -> Self {
        let result = Self::error(told.text);
        let result = told.data.into_iter().fold(result, |result, data| result.text(data.to_string()));
        told.code.into_iter().fold(result, |result, code| result.meta(CODE, code))
    }
}

/// Where the code of a public error stands in the `_meta` of a failed result.
const CODE: &str = "grange/code";

impl ToolError {
    /// A failure that the model is meant to read, and to do better after: a result with `isError`.
    pub fn failed(text: impl Into<Text>) -> Self {
        Self(ToolCause::Failed(Told { text: text.into(), data: None, code: None }))
    }

    /// A protocol error, for a client that you know to want one: a code of your own, outside -32768…-32000, and a message. The
    /// model may never read it; what it should read is [`failed`](Self::failed).
    ///
    /// **Some hosts take an unknown code for a broken connection, restart the server and call the tool again.** A tool that has
    /// changed something changes it twice then.
    #[track_caller]
    pub fn protocol(code: i64, message: impl Into<String>) -> Self {
        Self(ToolCause::Protocol(ReadError::public(code, message).0))
    }

    /// The client did not declare capabilities that this call cannot do without, as in
    /// `serde_json::json!({ "sampling": {} })`. It is a protocol error: return it before the tool has changed anything, since some
    /// hosts [call again](Self::protocol).
    pub fn missing_capabilities(required: impl Serialize) -> Self {
        ReadError::missing_capabilities(required).into()
    }

    /// Whoever asks may not call this without more scopes; see [`ReadError::missing_scopes`]. It is a protocol error, with the status
    /// 403 over HTTP: return it before the tool has changed anything, since some hosts [call again](Self::protocol).
    pub fn missing_scopes(scopes: impl Into<Text>) -> Self {
        ReadError::missing_scopes(scopes).into()
    }

    /// Adds `data`: to a failure as a further block of text, which the model reads as JSON; to a protocol error as its `data`. Data
    /// that is not JSON is left out; on other errors this does nothing.
    #[must_use]
    pub fn data(self, value: impl Serialize) -> Self {
        Self(match self.0 {
            ToolCause::Failed(told) => ToolCause::Failed(Told { data: serde_json::to_value(value).ok(), ..told }),
            ToolCause::Protocol(cause) => ToolCause::Protocol(ReadError(cause).data(value).0),
            ToolCause::Other(cause) => ToolCause::Other(ReadError(cause).data(value).0),
        })
    }

    /// The result that tells the model, or why the client gets an error.
    pub(crate) fn told(self) -> Result<ToolResult, Cause> {
        match self.0 {
            ToolCause::Failed(told) => Ok(told.into()),
            // `?` on what was made for a read must not end the call with a code that hosts do not know.
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

/// What a panic said.
pub(crate) fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}
