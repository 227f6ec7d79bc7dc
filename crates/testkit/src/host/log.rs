//! An entry of a fake host's log.

use serde_json::Value;

use crate::line::Stream;

/// A request or notification that a fake host received.
#[derive(Clone, Debug, PartialEq)]
pub struct HostMessage {
    message: Value,
    stream: Stream,
}

impl HostMessage {
    pub(super) fn new(message: Value, stream: Stream) -> Self {
        Self { message, stream }
    }

    /// The method.
    pub fn method(&self) -> &str {
        self.message["method"].as_str().unwrap_or_default()
    }

    /// The parameters; null if there are none.
    pub fn params(&self) -> &Value {
        &self.message["params"]
    }

    /// The id; `None` for a notification.
    pub fn id(&self) -> Option<&Value> {
        self.message.get("id")
    }

    /// The whole message.
    pub fn json(&self) -> &Value {
        &self.message
    }

    /// The stream that it arrived on.
    pub fn stream(&self) -> Stream {
        self.stream
    }
}
