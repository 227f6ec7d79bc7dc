//! The result of `tools/call` as a client sees it.

use serde_json::{Map, Value};

/// What a call of a tool gave.
///
/// ```
/// # use grange_core::{Revision, Server, Tool, ToolResult};
/// # use serde_json::json;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let count = Tool::builder().name("count").call_without_arguments(|_cx| async {
///     Ok(ToolResult::new().text("3 files").structured(json!({ "files": 3 })))
/// });
/// let server = Server::builder("tools", "1.0.0").tool(count).build()?;
/// let mut client = grange_testkit::connect(&server, Revision::V2026_07_28).await?;
/// let call = client.call_tool("count", json!({})).await?;
/// assert_eq!(call.text(), Some("3 files"));
/// assert_eq!(call.structured(), Some(&json!({ "files": 3 })));
/// assert_eq!(call.content().len(), 1);
/// assert_eq!(call.result()["resultType"], "complete");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    result: Value,
    progress: Vec<Value>,
}

impl ToolCall {
    pub(crate) fn new(result: Value, progress: Vec<Value>) -> Self {
        Self { result, progress }
    }

    /// The blocks.
    pub fn content(&self) -> &[Value] {
        self.result["content"].as_array().map_or(&[], Vec::as_slice)
    }

    /// The text of the first block that is text.
    pub fn text(&self) -> Option<&str> {
        self.content().iter().find(|block| block["type"] == "text")?["text"].as_str()
    }

    /// The result for programs, where the revision has one.
    pub fn structured(&self) -> Option<&Value> {
        self.result.get("structuredContent")
    }

    /// Whether the tool failed in a way that the model should read.
    pub fn is_error(&self) -> bool {
        self.result["isError"] == true
    }

    /// The progress that was said before the result: the parameters of each notification, in order.
    pub fn progress(&self) -> &[Value] {
        &self.progress
    }

    /// The `_meta` of the result. Where a revision has no handshake it holds the server's own entry too.
    pub fn meta(&self) -> Map<String, Value> {
        self.result["_meta"].as_object().cloned().unwrap_or_default()
    }

    /// The whole result.
    pub fn result(&self) -> &Value {
        &self.result
    }
}
