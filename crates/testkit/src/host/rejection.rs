//! Errors of a fake host: the codes and data of real hosts, and the texts of the SDK that most of them use.

use serde_json::{Value, json};

use super::names::SCHEME;

/// The `error` of a response.
#[derive(Clone, Debug)]
pub(super) struct Rejection {
    code: i64,
    text: &'static str,
    data: Option<Value>,
}

impl Rejection {
    /// The file does not exist, or the caller may not see it.
    pub(super) fn not_found(uri: &Value) -> Self {
        Self { code: -32002, text: "Resource not found", data: Some(json!({ "uri": uri })) }
    }

    /// The URI of a read, or the scheme of a list, is not of a scheme that the host serves.
    pub(super) fn unsupported(what: &str, value: &Value) -> Self {
        Self { code: -32602, text: "Unsupported scheme", data: Some(json!({ what: value, "supported": [SCHEME] })) }
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

    /// The `error` member of a response.
    pub(super) fn to_json(&self) -> Value {
        let Self { code, text, data } = self;
        let mut error = json!({ "code": code, "message": format!("MCP error {code}: {text}") });
        if let Some(data) = data {
            error["data"] = data.clone();
        }
        error
    }
}

/// The result of JavaScript's `typeof` for a value.
fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null | Value::Array(_) | Value::Object(_) => "object",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
    }
}
