//! The errors of the host's files: one variant for each cause. The code and the data of the host's answer decide the variant,
//! never its message. A field that the host leaves out is `None`.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use serde_json::Value;

use super::status::HostStatus;
use crate::define::ClientRequestError;
use crate::rpc::integer_of;

/// Why the host's files could not be read or listed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum HostError {
    /// The host does not offer the operation; nothing was sent.
    CapabilityMissing {
        /// `read` or `list`.
        capability: &'static str,
        /// Whether files can be read, or why not.
        status: HostStatus,
    },
    /// The host reads no URIs of that scheme. If its handshake states so, nothing was sent.
    UnsupportedScheme {
        /// The URI.
        uri: Option<String>,
        /// The schemes that the host reads.
        supported: Option<Vec<String>>,
    },
    /// The host lists no files of that scheme.
    UnsupportedFilterScheme {
        /// The scheme of the filter.
        scheme: Option<String>,
        /// The schemes that the host lists.
        supported: Option<Vec<String>>,
    },
    /// The host accepts no cursor.
    UnsupportedCursor {
        /// The cursor.
        cursor: Option<String>,
    },
    /// The host did not accept the tags as a list.
    InvalidTags {
        /// Their type, as JavaScript names it.
        received_type: Option<String>,
    },
    /// The host rejected the parameters for another reason.
    InvalidParams {
        /// The host's message.
        message: String,
        /// The host's data.
        data: Option<Value>,
    },
    /// There is no such file, or this server may not read it: the host does not distinguish.
    NotFound {
        /// The URI.
        uri: Option<String>,
    },
    /// Too many requests.
    RateLimited {
        /// How long to wait before a retry.
        retry_after: Option<Duration>,
    },
    /// The file is longer than the host serves.
    TooLarge {
        /// The URI.
        uri: Option<String>,
        /// The length of the file, in bytes.
        size: Option<u64>,
        /// The longest file that the host serves, in bytes.
        max_size: Option<u64>,
    },
    /// The host does not serve an operation that it declares.
    NotImplemented,
    /// The host's answer is invalid, with this problem.
    InvalidResponse(String),
    /// `read_text` of a file that is not text.
    NotText {
        /// The URI.
        uri: String,
    },
    /// `read_text` or `read_bytes` of a file without contents.
    Empty {
        /// The URI.
        uri: String,
    },
    /// The host did not answer within this time.
    Timeout(Duration),
    /// The client's own request was cancelled.
    Cancelled,
    /// The connection was lost, or the session ended, before the answer.
    Disconnected,
    /// Any other error of the host.
    Other {
        /// The code.
        code: i64,
        /// The message.
        message: String,
        /// The host's data.
        data: Option<Value>,
    },
}

impl From<ClientRequestError> for HostError {
    fn from(error: ClientRequestError) -> Self {
        match error {
            ClientRequestError::Unavailable(_) => {
                Self::CapabilityMissing { capability: "read", status: HostStatus::NoBackChannel }
            }
            ClientRequestError::InvalidParams(message) => Self::InvalidParams { message, data: None },
            ClientRequestError::InvalidResponse(problem) => Self::InvalidResponse(problem),
            ClientRequestError::TimedOut(time) => Self::Timeout(time),
            ClientRequestError::Cancelled => Self::Cancelled,
            ClientRequestError::Disconnected => Self::Disconnected,
            ClientRequestError::Refused { code, message, data } => refused(code, message, data),
        }
    }
}

fn refused(code: i64, message: String, data: Option<Value>) -> HostError {
    let of = |name: &str| data.as_ref().and_then(|data| data.get(name));
    let text = |name| of(name).and_then(Value::as_str).map(str::to_owned);
    let number = |name| of(name).and_then(integer_of);
    let texts = |name| {
        let items = of(name).and_then(Value::as_array)?;
        Some(items.iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>())
    };
    match code {
        -32002 => HostError::NotFound { uri: text("uri") },
        -32004 => HostError::RateLimited { retry_after: of("retryAfterMs").and_then(wait) },
        -32005 => HostError::TooLarge { uri: text("uri"), size: number("size"), max_size: number("maxSize") },
        -32601 => HostError::NotImplemented,
        -32602 if of("scheme").is_some() => {
            HostError::UnsupportedFilterScheme { scheme: text("scheme"), supported: texts("supported") }
        }
        -32602 if of("cursor").is_some() => HostError::UnsupportedCursor { cursor: text("cursor") },
        -32602 if of("receivedType").is_some() => HostError::InvalidTags { received_type: text("receivedType") },
        -32602 if of("supported").is_some() => {
            HostError::UnsupportedScheme { uri: text("uri"), supported: texts("supported") }
        }
        -32602 => HostError::InvalidParams { message, data },
        _ => HostError::Other { code, message, data },
    }
}

/// A number of milliseconds as a duration, if it is a possible one.
fn wait(ms: &Value) -> Option<Duration> {
    let ms = ms.as_f64().filter(|ms| *ms >= 0.0)?;
    Duration::try_from_secs_f64(ms.ceil() / 1000.0).ok()
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let or = |said: &Option<String>| said.clone().unwrap_or_else(|| "?".to_owned());
        let list = |said: &Option<Vec<String>>| said.as_ref().map_or_else(|| "?".to_owned(), |list| list.join(", "));
        match self {
            Self::CapabilityMissing { capability, status } => write!(f, "the host offers no {capability}: {status:?}"),
            Self::UnsupportedScheme { uri, supported } => {
                write!(f, "the host does not read {}: it reads {}", or(uri), list(supported))
            }
            Self::UnsupportedFilterScheme { scheme, supported } => {
                write!(f, "the host does not list {}: it lists {}", or(scheme), list(supported))
            }
            Self::UnsupportedCursor { cursor } => write!(f, "the host takes no cursor, and got {}", or(cursor)),
            Self::InvalidTags { received_type } => {
                write!(f, "the host wants a list of tags, and got {}", or(received_type))
            }
            Self::InvalidParams { message, .. } => write!(f, "the host finds problem with the request: {message}"),
            Self::NotFound { uri } => write!(f, "the host has no file {}", or(uri)),
            Self::RateLimited { retry_after: Some(wait) } => {
                write!(f, "the host limits the rate: try again in {} ms", wait.as_millis())
            }
            Self::RateLimited { retry_after: None } => f.write_str("the host limits the rate"),
            Self::TooLarge { uri, size, max_size } => {
                let shown = |bytes: &Option<u64>| bytes.map_or_else(|| "?".to_owned(), |bytes| bytes.to_string());
                write!(f, "{} has {} bytes: the host gives {}", or(uri), shown(size), shown(max_size))
            }
            Self::NotImplemented => f.write_str("the host advertises its files and does not serve them"),
            Self::InvalidResponse(problem) => write!(f, "the host's answer is invalid: {problem}"),
            Self::NotText { uri } => write!(f, "{uri} is not text: read it with `read_bytes`"),
            Self::Empty { uri } => write!(f, "{uri} has no contents"),
            Self::Timeout(time) => write!(f, "the host did not answer in {} ms", time.as_millis()),
            Self::Cancelled => f.write_str("the request was cancelled"),
            Self::Disconnected => f.write_str("the host went away before it answered"),
            Self::Other { code, message, .. } => write!(f, "the host refused: {message} ({code})"),
        }
    }
}

impl Error for HostError {}
