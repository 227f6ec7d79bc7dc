//! Tools: listing them, and calling them with progress.

use serde_json::{Value, json};

use super::exchange::Pending;
use super::requests::entries;
use super::state::Client;
use crate::error::RpcError;
use crate::tool::ToolCall;

impl Client {
    /// Lists the tools, all pages joined. Over HTTP without a handshake, the client also learns which arguments it must
    /// mirror into headers.
    ///
    /// # Errors
    /// The server's error.
    pub async fn tools(&mut self) -> Result<Vec<Value>, RpcError> {
        let mut all = Vec::new();
        let mut params = json!({});
        loop {
            let result = self.request("tools/list", params).await?;
            all.append(&mut entries(&result, "tools"));
            match result["nextCursor"].as_str() {
                Some(cursor) => params = json!({ "cursor": cursor }),
                None => return Ok(all),
            }
        }
    }

    /// Calls a tool with a progress token and waits for the result. `arguments` is an object.
    ///
    /// ```
    /// # use grange_core::{Revision, Server, Tool};
    /// # use serde_json::json;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let index = Tool::builder().name("index").call_without_arguments(|cx| async move {
    ///     cx.progress((1.0, 2.0));
    ///     Ok("indexed")
    /// });
    /// let server = Server::builder("tools", "1.0.0").tool(index).build()?;
    /// let mut client = grange_testkit::connect(&server, Revision::V2025_06_18).await?;
    /// let call = client.call_tool("index", json!({})).await?;
    /// assert_eq!((call.text(), call.is_error()), (Some("indexed"), false));
    /// assert_eq!(call.progress()[0]["total"], 2.0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The server's error. A failure that the tool reports to the model is not one: see [`ToolCall::is_error`].
    ///
    /// If the tool waits for the clock, as for a host that never answers, this call does not return. Use
    /// [`start_tool`](Self::start_tool), advance the [`clock`](Self::clock), then call
    /// [`finish_tool`](Self::finish_tool).
    ///
    /// # Panics
    /// As [`finish`](Self::finish).
    pub async fn call_tool(&mut self, name: &str, arguments: Value) -> Result<ToolCall, RpcError> {
        let pending = self.start_tool(name, arguments);
        self.finish_tool(pending).await
    }

    /// Calls a tool with a progress token and polls the server once, so that the tool starts to run.
    pub fn start_tool(&mut self, name: &str, arguments: Value) -> Pending {
        // The progress token is the request's id, as in the official SDKs.
        let mut params = json!({ "name": name, "_meta": { "progressToken": self.next_id } });
        params["arguments"] = arguments;
        self.start("tools/call", params)
    }

    /// Waits for the result of a call.
    ///
    /// # Errors
    /// As [`call_tool`](Self::call_tool).
    ///
    /// # Panics
    /// As [`finish`](Self::finish).
    pub async fn finish_tool(&mut self, pending: Pending) -> Result<ToolCall, RpcError> {
        let token = pending.id();
        let result = self.finish(pending).await?;
        let of_call = |message: &Value| {
            message["method"] == "notifications/progress" && message["params"]["progressToken"] == token
        };
        let progress = self.take_unread_if(of_call).into_iter().map(|mut message| message["params"].take());
        Ok(ToolCall::new(result, progress.collect()))
    }
}
