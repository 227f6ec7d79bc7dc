//! What can go wrong in the author's code: what they return ([`ReadError`]) and what they are told ([`ReadFailure`]).
//!
//! The two differ so that `?` works on everything: `ReadError` converts from any error and is therefore no `Error`
//! itself; `ReadFailure` is one, and carries what the framework found too.

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

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
    Public { code: i64, message: String, data: Option<Value> },
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

    /// Adds `data` to a public error. Data that is not JSON is left out; on other errors this does nothing.
    #[must_use]
    pub fn data(mut self, value: impl Serialize) -> Self {
        if let Cause::Public { data, .. } = &mut self.0 {
            *data = serde_json::to_value(value).ok();
        }
        self
    }
}

impl<E: Into<Box<dyn Error + Send + Sync>>> From<E> for ReadError {
    fn from(error: E) -> Self {
        Self(Cause::Private(error.into()))
    }
}

/// What went wrong with a read, as the author sees it: in `on_error`, and from a direct [`crate::Resource::read`].
#[derive(Debug)]
#[non_exhaustive]
pub enum ReadFailure {
    /// The reader or a provider returned this error.
    Error(Box<dyn Error + Send + Sync>),
    /// The contents were not fit to leave; each fault with its remedy.
    InvalidContents(Vec<String>),
    /// An answer of this many bytes went to a pipe whose other end may refuse it: the TypeScript clients buffer 10 MiB.
    LargeReply(usize),
    /// `cx.get` asked for a type that no provider gives.
    MissingProvider(&'static str),
    /// The reader answered that the resource does not exist.
    NotFound,
    /// The reader or a provider panicked, with this message.
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
    /// The read took longer than `Limits::request_time`.
    TimedOut(Duration),
}

impl fmt::Display for ReadFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Error(error) => write!(f, "{error}"),
            Self::InvalidContents(faults) => write!(f, "the contents are invalid: {}", faults.join("; ")),
            Self::LargeReply(bytes) => {
                write!(f, "an answer of {bytes} bytes went to a pipe: the TypeScript clients refuse more than 10 MiB")
            }
            Self::MissingProvider(name) => write!(
                f,
                "no provider for `{name}`: add `.provide_value(…)` or `.provide(…)` of that type to the server"
            ),
            Self::NotFound => f.write_str("the resource does not exist"),
            Self::Panicked(message) => write!(f, "the reader panicked: {message}"),
            Self::ProviderCycle(name) => {
                write!(f, "the provider of `{name}` waits for itself: break the cycle between the providers")
            }
            Self::Public { code, message } => write!(f, "{message} ({code})"),
            Self::ReservedCode(code) => write!(
                f,
                "the error code {code} belongs to JSON-RPC: choose one outside -32768 to -32000 for an error of your own"
            ),
            Self::TimedOut(time) => write!(f, "the read took longer than {} ms", time.as_millis()),
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
            Cause::Public { code, .. } if Code::is_reserved(code) => Self::ReservedCode(code),
            Cause::Public { code, message, .. } => Self::Public { code, message },
            Cause::Private(error) => Self::Error(error),
            Cause::MissingProvider(name) => Self::MissingProvider(name),
            Cause::ProviderCycle(name) => Self::ProviderCycle(name),
        }
    }
}

/// What a panic said.
pub(crate) fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}
