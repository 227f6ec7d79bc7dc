//! An error answer as a client sees it.

use std::error::Error;
use std::fmt;

use serde_json::Value;

/// The `error` member of a JSON-RPC response.
///
/// ```
/// let error = grange_testkit::RpcError { code: -32602, message: "Resource not found".into(), data: None };
/// assert_eq!(error.to_string(), "Resource not found (-32602)");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RpcError {
    /// The JSON-RPC error code.
    pub code: i64,
    /// The error message.
    pub message: String,
    /// The server's `data`, if it sent any.
    pub data: Option<Value>,
}

impl RpcError {
    pub(crate) fn from_json(error: &Value) -> Self {
        Self {
            code: error["code"].as_i64().unwrap_or_default(),
            message: error["message"].as_str().unwrap_or_default().to_owned(),
            data: error.get("data").cloned(),
        }
    }
}

impl fmt::Display for RpcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code)
    }
}

impl Error for RpcError {}
