//! What can be wrong with a request: one variant a cause, no code and no status. `era/` turns it into both.
//!
//! Not here: what goes wrong in the author's code (`define/failure.rs`), which a client only ever sees as
//! [`Fault::Internal`].

use std::borrow::Cow;

use serde_json::{Value, json};

use crate::model::Text;
use crate::rpc::cut;

/// A refusal of one request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fault {
    /// The author's own error, meant for the client.
    Author {
        code: i64,
        message: String,
        data: Option<Value>,
    },
    /// More requests at once than the server takes.
    Busy,
    /// A header is missing, repeated, malformed or differs from the body.
    HeaderMismatch(String),
    /// Something of ours or the author's failed. Nothing of the cause may show.
    Internal,
    InvalidParams(Cow<'static, str>),
    InvalidRequest(Cow<'static, str>),
    /// The client did not declare these capabilities.
    MissingCapabilities(Value),
    /// Whoever asks lacks these scopes.
    MissingScopes(Text),
    /// A request outside any session, where sessions are kept.
    NoSession,
    /// A cursor this server did not issue.
    UnknownCursor,
    UnknownMethod(String),
    UnknownResource {
        uri: String,
    },
    /// A URI that is longer than any resource's may be. It is not sent back.
    LongUri,
    /// A session that was never there, is over, or is somebody else's: it shows none of the three.
    UnknownSession,
    /// There is none of that name.
    UnknownTool(String),
    UnsupportedVersion {
        requested: String,
        supported: Vec<&'static str>,
    },
}

impl Fault {
    pub(crate) fn message(&self) -> Cow<'_, str> {
        match self {
            Self::Author { message, .. } => message.into(),
            Self::Busy => "Server busy: too many requests at once, try again".into(),
            Self::HeaderMismatch(what) => format!("Header mismatch: {what}").into(),
            Self::Internal => "Internal error".into(),
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
            Self::UnknownMethod(method) => format!("Method not found: {}", cut(method)).into(),
            Self::LongUri | Self::UnknownResource { .. } => "Resource not found".into(),
            Self::UnknownSession => "Session not found".into(),
            Self::UnknownTool(name) => format!("Unknown tool: {}", cut(name)).into(),
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
                Some(json!({ "supported": supported, "requested": cut(requested) }))
            }
            _ => None,
        }
    }
}
