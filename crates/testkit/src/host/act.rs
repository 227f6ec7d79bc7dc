//! What a host does about a message, and the response that it sends.

use serde_json::{Value, json};

use super::refusal::Refusal;

/// What a host does about a message.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum HostAct {
    /// It sends this to the server.
    Send(Value),
    /// It drops the stream that the message came on.
    DropStream,
    /// It ends the session.
    EndSession,
}

/// The response to the request of that id.
pub(super) fn answer(id: &Value, outcome: Result<Value, Refusal>) -> Value {
    match outcome {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(refusal) => json!({ "jsonrpc": "2.0", "id": id, "error": refusal.to_json() }),
    }
}
