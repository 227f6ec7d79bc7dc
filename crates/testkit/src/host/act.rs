//! How a host reacts to a message, and the response that it sends.

use serde_json::{Value, json};

use super::rejection::Rejection;

/// One reaction of a host to a message.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum HostAct {
    /// Sends this message to the server.
    Send(Value),
    /// Drops the stream that the message arrived on.
    DropStream,
    /// Ends the session.
    EndSession,
}

/// The response to the request with this id.
pub(super) fn answer(id: &Value, outcome: Result<Value, Rejection>) -> Value {
    match outcome {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(rejection) => json!({ "jsonrpc": "2.0", "id": id, "error": rejection.to_json() }),
    }
}
