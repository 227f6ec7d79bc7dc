//! JSON-RPC error codes by name, and the one writer of error responses. The code of a rejection depends on the revision
//! (`era/row.rs`).

use serde_json::Value;

use super::id::IdToken;
use super::json::Json;

/// A JSON-RPC error code.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Code(pub(crate) i64);

impl Code {
    pub(crate) const PARSE: Self = Self(-32700);
    pub(crate) const INVALID_REQUEST: Self = Self(-32600);
    pub(crate) const METHOD_NOT_FOUND: Self = Self(-32601);
    pub(crate) const INVALID_PARAMS: Self = Self(-32602);
    pub(crate) const INTERNAL: Self = Self(-32603);
    pub(crate) const RESOURCE_NOT_FOUND: Self = Self(-32002);
    pub(crate) const HEADER_MISMATCH: Self = Self(-32020);
    pub(crate) const MISSING_CAPABILITIES: Self = Self(-32021);
    pub(crate) const UNSUPPORTED_VERSION: Self = Self(-32022);
    /// A code of Grange, outside the range that JSON-RPC reserves: the in-flight limit is reached.
    pub(crate) const BUSY: Self = Self(503);

    /// Whether JSON-RPC or MCP reserves the code. An author must not use such a code for an error of their own.
    pub(crate) fn is_reserved(code: i64) -> bool {
        (-32768..=-32000).contains(&code)
    }
}

/// Writes an error response. **Without an id, the response has no `id` member; it is never null.**
pub(crate) fn write_error(id: Option<IdToken<'_>>, code: Code, message: &str, data: Option<&Value>) -> Vec<u8> {
    let mut out = Vec::with_capacity(128 + message.len());
    let mut response = Json::object(&mut out);
    response.string("jsonrpc", "2.0");
    if let Some(id) = id {
        response.id("id", id);
    }
    let mut error = Json::object(response.member("error"));
    error.raw("code", code.0.to_string().as_bytes());
    error.string("message", message);
    if let Some(data) = data {
        error.value("data", data);
    }
    error.end();
    response.end();
    out
}
