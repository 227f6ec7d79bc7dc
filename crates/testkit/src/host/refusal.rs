//! Why a fake host refuses: the codes and data that hosts send, with the words of the SDK that most of them use.

use serde_json::{Value, json};

use super::names::SCHEME;

/// The `error` of an answer.
#[derive(Clone, Debug)]
pub(super) struct Refusal {
    code: i64,
    text: &'static str,
    data: Option<Value>,
}

impl Refusal {
    /// Not there, or not to be seen.
    pub(super) fn not_found(uri: &Value) -> Self {
        Self { code: -32002, text: "Resource not found", data: Some(json!({ "uri": uri })) }
    }

    /// A URI to read, or a scheme to list by, that is of no scheme that is served.
    pub(super) fn unsupported(what: &str, said: &Value) -> Self {
        Self { code: -32602, text: "Unsupported scheme", data: Some(json!({ what: said, "supported": [SCHEME] })) }
    }

    pub(super) fn cursor(cursor: &str) -> Self {
        Self { code: -32602, text: "Pagination is not supported", data: Some(json!({ "cursor": cursor })) }
    }

    pub(super) fn tags(tags: &Value) -> Self {
        Self { code: -32602, text: "tags must be an array", data: Some(json!({ "receivedType": type_of(tags) })) }
    }

    pub(super) fn rate_limited(milliseconds: u64) -> Self {
        Self { code: -32004, text: "Rate limited", data: Some(json!({ "retryAfterMs": milliseconds })) }
    }

    pub(super) fn too_large(uri: &Value, size: u64, max_size: u64) -> Self {
        let data = json!({ "uri": uri, "size": size, "maxSize": max_size });
        Self { code: -32005, text: "Resource too large", data: Some(data) }
    }

    pub(super) fn no_method() -> Self {
        Self { code: -32601, text: "Method not found", data: None }
    }

    pub(super) fn bare(code: i64) -> Self {
        Self { code, text: "Refused", data: None }
    }

    /// As it stands in an answer.
    pub(super) fn to_json(&self) -> Value {
        let Self { code, text, data } = self;
        let mut error = json!({ "code": code, "message": format!("MCP error {code}: {text}") });
        if let Some(data) = data {
            error["data"] = data.clone();
        }
        error
    }
}

/// What JavaScript calls the type of a value.
fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null | Value::Array(_) | Value::Object(_) => "object",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
    }
}
