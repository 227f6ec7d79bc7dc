//! The problems for which a request gets an error: one variant for each cause, without codes and statuses. `era/` adds
//! the codes.
//!
//! Not here: the errors that author code returns (`define/error.rs`). A client gets those that the author meant for
//! it; of all others it sees [`Rejection::Internal`] only.

use std::borrow::Cow;

use serde_json::{Value, json};

use crate::model::Text;
use crate::rpc::truncate;

/// The problem for which one request gets an error.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Rejection {
    /// An error that the author meant for the client.
    Author {
        code: i64,
        message: String,
        data: Option<Value>,
    },
    /// The in-flight limit is reached.
    Busy,
    /// The answer of author code has more bytes than the driver has room for, since clients do not read what they were sent.
    NoRoomForAnswer,
    /// A header is missing, repeated, malformed or differs from the body.
    HeaderMismatch(String),
    /// The engine or author code failed. The client must not see the cause.
    Internal,
    InvalidParams(Cow<'static, str>),
    InvalidRequest(Cow<'static, str>),
    /// The client did not declare these capabilities.
    MissingCapabilities(Value),
    /// The caller's token lacks these scopes, which are separated by spaces.
    MissingScopes(Text),
    /// A request without a session, to a driver that keeps sessions.
    NoSession,
    /// What is to be completed does not exist: the problem.
    UnknownArgument(String),
    /// A cursor that this server did not issue.
    UnknownCursor,
    UnknownMethod(String),
    UnknownResource {
        uri: String,
    },
    /// A URI of more than `Limits::uri_bytes`. It is not sent back.
    LongUri,
    /// The session never existed, has ended, or belongs to another principal. The error does not show which.
    UnknownSession,
    /// No tool has this name.
    UnknownTool(String),
    UnsupportedVersion {
        requested: String,
        supported: Vec<&'static str>,
    },
}

impl Rejection {
    pub(crate) fn message(&self) -> Cow<'_, str> {
        match self {
            Self::Author { message, .. } => message.into(),
            Self::Busy => "Server busy: too many requests at once, try again".into(),
            Self::NoRoomForAnswer => {
                "Server busy: too many requests at once (their answers, which clients have not read, leave no room for this one), \
                 try again"
                    .into()
            }
            Self::HeaderMismatch(what) => format!("Header mismatch: {what}").into(),
            Self::Internal => "Internal error".into(),
            Self::UnknownArgument(what) => format!("Invalid params: {what}").into(),
            Self::InvalidParams(what) => format!("Invalid params: {what}").into(),
            Self::InvalidRequest(what) => format!("Invalid request: {what}").into(),
            Self::MissingCapabilities(required) => {
                format!("Missing client capabilities: this request needs {required}").into()
            }
            Self::MissingScopes(scopes) => format!("Insufficient scope: this request needs {scopes}").into(),
            Self::NoSession => {
                "Invalid request: the Mcp-Session-Id header is missing: send the one that \"initialize\" was answered with".into()
            }
            Self::UnknownCursor => "Invalid params: \"cursor\" is not one that this server issued".into(),
            Self::UnknownMethod(method) => format!("Method not found: {}", truncate(method)).into(),
            Self::LongUri | Self::UnknownResource { .. } => "Resource not found".into(),
            Self::UnknownSession => "Session not found".into(),
            Self::UnknownTool(name) => format!("Unknown tool: {}", truncate(name)).into(),
            Self::UnsupportedVersion { supported, .. } => {
                format!("Unsupported protocol version: this server serves {}", supported.join(", ")).into()
            }
        }
    }

    pub(crate) fn data(&self) -> Option<Value> {
        match self {
            Self::Author { data, .. } => data.clone(),
            Self::UnknownResource { uri } => Some(json!({ "uri": uri })),
            Self::MissingCapabilities(required) => Some(json!({ "requiredCapabilities": required })),
            Self::MissingScopes(scopes) => Some(json!({ "requiredScopes": scopes.split(' ').collect::<Vec<_>>() })),
            Self::UnsupportedVersion { requested, supported } => {
                Some(json!({ "supported": supported, "requested": truncate(requested) }))
            }
            _ => None,
        }
    }
}
