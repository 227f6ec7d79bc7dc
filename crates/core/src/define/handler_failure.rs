//! The failure of author code, as the author gets it ([`HandlerFailure`]). The errors that author code returns are in
//! `error.rs`.

use std::error::Error;
use std::fmt;
use std::panic::Location;
use std::time::Duration;

use serde_json::Value;

use super::error::{Cause, ReadError, ToolCause, ToolError};
use super::missing::Missing;
use crate::model::Text;

/// A failure of a read, a call, a completion or an extension, as the author gets it: in `on_error`, and from a direct
/// [`crate::Resource::read`] or [`crate::Tool::call`]. `{failure}` is the failure alone; `{failure:#}` adds its causes.
///
/// ```
/// use grange_core::ReadError;
/// let failure = grange_core::HandlerFailure::from(ReadError::from(std::io::Error::other("disk on fire")));
/// assert_eq!(format!("{failure:#}"), "disk on fire");
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum HandlerFailure {
    /// The reader, the tool or the extension returned this error.
    Error(Box<dyn Error + Send + Sync>),
    /// The arguments of a direct call do not fit.
    InvalidArguments(String),
    /// Values of a completion were left out, since the variable could not carry them; each problem has its remedy. The client got the
    /// others.
    InvalidCompletion(Vec<String>),
    /// The contents cannot be sent; each problem has its remedy.
    InvalidContents(Vec<String>),
    /// The page of a template's list cannot be sent; each problem has its remedy.
    InvalidList(Vec<String>),
    /// The result of a tool cannot be sent; each problem has its remedy.
    InvalidResult(Vec<String>),
    /// An answer of this many bytes was sent to a pipe, and its client may reject it: the TypeScript clients buffer 10
    /// MiB.
    LargeReply(usize),
    /// The client lacks these capabilities.
    MissingCapabilities(Value),
    /// The caller's token lacks these scopes, and the client got an error that names them.
    MissingScopes(Text),
    /// Code called `cx.get` with a type that no provider gives.
    MissingProvider {
        /// The type.
        wanted: &'static str,
        /// The name of the code that needs it.
        by: String,
        /// The provided types with a similar name.
        similar: Vec<&'static str>,
    },
    /// The reader returned [`ReadError::not_found`].
    NotFound,
    /// The reader, the tool, a provider or the extension panicked, with this message.
    Panicked(String),
    /// A provider returned this error.
    Provider {
        /// The type that it gives.
        provides: &'static str,
        /// The error.
        error: Box<dyn Error + Send + Sync>,
    },
    /// Providers wait for each other. This is the type of the provider that closed the cycle.
    ProviderCycle(&'static str),
    /// The reader returned an error for the client, as [`ReadError::public`].
    Public {
        /// The code.
        code: i64,
        /// The message.
        message: String,
    },
    /// An error was made with a code that belongs to JSON-RPC or MCP.
    ReservedCode {
        /// The code.
        code: i64,
        /// Where it was made.
        at: &'static Location<'static>,
    },
    /// The read or call took longer than `Limits::request_time`.
    TimedOut(Duration),
}

impl HandlerFailure {
    /// The causes, nearest first. A cause whose text is part of the error before it is left out.
    pub(crate) fn causes(&self) -> Vec<String> {
        /// Longest chain of causes, since an error may be its own cause.
        const DEEPEST: usize = 32;
        let mut last = self.to_string();
        let mut causes = Vec::new();
        let chain = std::iter::successors(self.source(), |error| (*error).source());
        for cause in chain.take(DEEPEST).map(ToString::to_string) {
            if !last.contains(&cause) {
                last.clone_from(&cause);
                causes.push(cause);
            }
        }
        causes
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Error(error) => write!(f, "{error}"),
            Self::InvalidCompletion(problems) => write!(f, "values were left out: {}", problems.join("; ")),
            Self::InvalidContents(problems) => write!(f, "the contents are invalid: {}", problems.join("; ")),
            Self::InvalidArguments(problem) => write!(f, "the arguments do not fit: {problem}"),
            Self::InvalidList(problems) => write!(f, "the list is invalid: {}", problems.join("; ")),
            Self::InvalidResult(problems) => write!(f, "the result is invalid: {}", problems.join("; ")),
            Self::LargeReply(bytes) => {
                write!(f, "an answer of {bytes} bytes went to a pipe: the TypeScript clients refuse more than 10 MiB")
            }
            Self::MissingCapabilities(required) => write!(f, "the client lacks the capabilities {required}"),
            Self::MissingScopes(scopes) => write!(f, "who asks lacks the scopes {scopes}"),
            Self::MissingProvider { wanted, by, similar } => f.write_str(&Missing::message(wanted, by, similar)),
            Self::NotFound => f.write_str("the resource does not exist"),
            Self::Panicked(message) => write!(f, "the code panicked: {message}"),
            Self::Provider { provides, error } => write!(f, "the provider of `{provides}` failed: {error}"),
            Self::ProviderCycle(name) => {
                write!(f, "the provider of `{name}` waits for itself: break the cycle between the providers")
            }
            Self::Public { code, message } => write!(f, "{message} ({code})"),
            Self::ReservedCode { code, at } => write!(
                f,
                "the error code {code} at {at} belongs to JSON-RPC: choose one outside -32768 to -32000 for an error of your own"
            ),
            Self::TimedOut(time) => write!(f, "it took longer than {} ms", time.as_millis()),
        }
    }
}

impl fmt::Display for HandlerFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f)?;
        if f.alternate() {
            self.causes().iter().try_for_each(|cause| write!(f, ": {cause}"))?;
        }
        Ok(())
    }
}

impl Error for HandlerFailure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Error(error) | Self::Provider { error, .. } => Some(&**error),
            _ => None,
        }
    }
}

impl From<ReadError> for HandlerFailure {
    fn from(error: ReadError) -> Self {
        match error.0 {
            Cause::NotFound => Self::NotFound,
            Cause::MissingCapabilities(required) => Self::MissingCapabilities(required),
            Cause::MissingScopes(scopes) => Self::MissingScopes(scopes),
            Cause::Public { code, message, .. } => Self::Public { code, message },
            Cause::Private(error) => Self::Error(error),
            Cause::MissingProvider(Missing { wanted, by, similar }) => Self::MissingProvider { wanted, by, similar },
            Cause::Provider { provides, error } => Self::Provider { provides, error },
            Cause::ProviderCycle(name) => Self::ProviderCycle(name),
            Cause::Reserved { code, at } => Self::ReservedCode { code, at },
        }
    }
}

impl From<ToolError> for HandlerFailure {
    fn from(error: ToolError) -> Self {
        match error.0 {
            ToolCause::Failed(told) => Self::Error(told.text.to_string().into()),
            ToolCause::Protocol(cause) | ToolCause::Other(cause) => ReadError(cause).into(),
        }
    }
}
