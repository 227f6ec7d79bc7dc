//! The result of `tools/call` as a client sees it.

use serde_json::{Map, Value};

/// The result of a tool call.
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

    /// The content blocks.
    pub fn content(&self) -> &[Value] {
        self.result["content"].as_array().map_or(&[], Vec::as_slice)
    }

    /// The text of the first text block.
    pub fn text(&self) -> Option<&str> {
        self.content().iter().find(|block| block["type"] == "text")?["text"].as_str()
    }

    /// The structured content, if the revision has it.
    pub fn structured(&self) -> Option<&Value> {
        self.result.get("structuredContent")
    }

    /// Whether the tool reported a failure to the model.
    pub fn is_error(&self) -> bool {
        self.result["isError"] == true
    }

    /// The parameters of each progress notification before the result, in order.
    pub fn progress(&self) -> &[Value] {
        &self.progress
    }

    /// The `_meta` of the result. For a revision without a handshake it includes the server's own entry.
    pub fn meta(&self) -> Map<String, Value> {
        self.result["_meta"].as_object().cloned().unwrap_or_default()
    }

    /// The whole result.
    pub fn result(&self) -> &Value {
        &self.result
    }
}
