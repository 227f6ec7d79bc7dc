//! What can go wrong in the author's code: what they return ([`ReadError`],
//! [`ToolError`]) and what they are told ([`ReadFailure`]).
//!
//! The two differ so that `?` works on everything: `ReadError` converts from any error and is therefore no `Error`
//! itself; `ReadFailure` is one, and carries what the framework found too.

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use super::bounds::ThreadSafeError;
use crate::model::Text;
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
    MissingProvider(&'static str),
    ProviderCycle(&'static str),
}

impl ReadError {
    /// The resource does not exist (any more). The revision picks the code; the client gets the URI it asked for.
    pub fn not_found() -> Self {
        Self(Cause::NotFound)
    }

    /// An error meant for the client: a code of your own, outside -32768…-32000, and a message.
    pub fn public(code: i64, message: impl Into<String>) -> Self {
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
/// let private: ToolError = std::io::Error::other("disk on fire").into();
/// ```
#[derive(Debug)]
pub struct ToolError(pub(crate) ToolCause);

#[derive(Debug)]
pub(crate) enum ToolCause {
    /// Told to the model.
    Failed(Text),
    /// As of a read.
    Other(Cause),
}

impl ToolError {
    /// A failure that the model is meant to read, and to do better after: a result with `isError`.
    pub fn failed(text: impl Into<Text>) -> Self {
        Self(ToolCause::Failed(text.into()))
    }

    /// A protocol error meant for the client: a code of your own, outside -32768…-32000, and a message.
    pub fn public(code: i64, message: impl Into<String>) -> Self {
        ReadError::public(code, message).into()
    }

    /// The client did not declare capabilities that this call cannot do without, as in
    /// `serde_json::json!({ "sampling": {} })`.
    pub fn missing_capabilities(required: impl Serialize) -> Self {
        ReadError::missing_capabilities(required).into()
    }

    /// Whoever asks may not call this without more scopes; see [`ReadError::missing_scopes`].
    pub fn missing_scopes(scopes: impl Into<Text>) -> Self {
        ReadError::missing_scopes(scopes).into()
    }

    /// Adds `data` to a public error. Data that is not JSON is left out; on other errors this does nothing.
    #[must_use]
    pub fn data(self, value: impl Serialize) -> Self {
        match self.0 {
            ToolCause::Failed(_) => self,
            ToolCause::Other(cause) => ReadError(cause).data(value).into(),
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

/// What went wrong with a read or a call, as the author sees it: in `on_error`, and from a direct
/// [`crate::Resource::read`] or [`crate::Tool::call`].
#[derive(Debug)]
#[non_exhaustive]
pub enum ReadFailure {
    /// The reader, the tool or a provider returned this error.
    Error(Box<dyn Error + Send + Sync>),
    /// A direct call was given arguments that do not fit.
    InvalidArguments(String),
    /// The contents were not fit to leave; each fault with its remedy.
    InvalidContents(Vec<String>),
    /// The result of a tool was not fit to leave; each fault with its remedy.
    InvalidResult(Vec<String>),
    /// An answer of this many bytes went to a pipe whose other end may refuse it: the TypeScript clients buffer 10 MiB.
    LargeReply(usize),
    /// The client lacks these capabilities.
    MissingCapabilities(Value),
    /// Whoever asks lacks these scopes; the client was told.
    MissingScopes(Text),
    /// `cx.get` asked for a type that no provider gives.
    MissingProvider(&'static str),
    /// The reader answered that the resource does not exist.
    NotFound,
    /// The reader, the tool or a provider panicked, with this message.
    Panicked(String),
    /// Providers wait for each other; the type is the one that closed the cycle.
    ProviderCycle(&'static str),
    /// The reader answered with an error of its own.
    Public {
        /// The code.
        code: i64,
        /// The message.
        message: String,
    },
    /// The reader answered with a code that belongs to JSON-RPC or MCP.
    ReservedCode(i64),
    /// The read or call took longer than `Limits::request_time`.
    TimedOut(Duration),
}

impl fmt::Display for ReadFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Error(error) => write!(f, "{error}"),
            Self::InvalidContents(faults) => write!(f, "the contents are invalid: {}", faults.join("; ")),
            Self::InvalidArguments(fault) => write!(f, "the arguments do not fit: {fault}"),
            Self::InvalidResult(faults) => write!(f, "the result is invalid: {}", faults.join("; ")),
            Self::LargeReply(bytes) => {
                write!(f, "an answer of {bytes} bytes went to a pipe: the TypeScript clients refuse more than 10 MiB")
            }
            Self::MissingCapabilities(required) => write!(f, "the client lacks the capabilities {required}"),
            Self::MissingScopes(scopes) => write!(f, "who asks lacks the scopes {scopes}"),
            Self::MissingProvider(name) => write!(
                f,
                "no provider for `{name}`: add `.provide_value(…)` or `.provide(…)` of that type to the server"
            ),
            Self::NotFound => f.write_str("the resource does not exist"),
            Self::Panicked(message) => write!(f, "the code panicked: {message}"),
            Self::ProviderCycle(name) => {
                write!(f, "the provider of `{name}` waits for itself: break the cycle between the providers")
            }
            Self::Public { code, message } => write!(f, "{message} ({code})"),
            Self::ReservedCode(code) => write!(
                f,
                "the error code {code} belongs to JSON-RPC: choose one outside -32768 to -32000 for an error of your own"
            ),
            Self::TimedOut(time) => write!(f, "it took longer than {} ms", time.as_millis()),
        }
    }
}

impl Error for ReadFailure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Error(error) => Some(&**error),
            _ => None,
        }
    }
}

impl From<ReadError> for ReadFailure {
    fn from(error: ReadError) -> Self {
        match error.0 {
            Cause::NotFound => Self::NotFound,
            Cause::MissingCapabilities(required) => Self::MissingCapabilities(required),
            Cause::MissingScopes(scopes) => Self::MissingScopes(scopes),
            Cause::Public { code, .. } if Code::is_reserved(code) => Self::ReservedCode(code),
            Cause::Public { code, message, .. } => Self::Public { code, message },
            Cause::Private(error) => Self::Error(error),
            Cause::MissingProvider(name) => Self::MissingProvider(name),
            Cause::ProviderCycle(name) => Self::ProviderCycle(name),
        }
    }
}

impl From<ToolError> for ReadFailure {
    fn from(error: ToolError) -> Self {
        match error.0 {
            ToolCause::Failed(text) => Self::Error(text.to_string().into()),
            ToolCause::Other(cause) => ReadError(cause).into(),
        }
    }
}

/// What a panic said.
pub(crate) fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}
