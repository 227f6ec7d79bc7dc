//! Methods for lists, reads, discovery and ping. Tool calls are in `call`.

use serde_json::{Value, json};

use super::state::Client;
use crate::error::RpcError;
use crate::read::Read;

/// One page of `resources/list`.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// The entries.
    pub resources: Vec<Value>,
    /// The cursor of the next page; `None` on the last one.
    pub next_cursor: Option<String>,
}

impl Client {
    /// Lists the resources, all pages joined.
    ///
    /// # Errors
    /// The server's error.
    pub async fn list(&mut self) -> Result<Vec<Value>, RpcError> {
        let mut page = self.list_page(None).await?;
        let mut all = page.resources;
        while let Some(cursor) = page.next_cursor {
            page = self.list_page(Some(&cursor)).await?;
            all.append(&mut page.resources);
        }
        Ok(all)
    }

    /// Lists one page of the resources: the first, or the one at `cursor`.
    ///
    /// # Errors
    /// The server's error.
    pub async fn list_page(&mut self, cursor: Option<&str>) -> Result<Page, RpcError> {
        let params = cursor.map_or_else(|| json!({}), |cursor| json!({ "cursor": cursor }));
        let result = self.request("resources/list", params).await?;
        let next_cursor = result["nextCursor"].as_str().map(str::to_owned);
        Ok(Page { resources: entries(&result, "resources"), next_cursor })
    }

    /// Reads a resource.
    ///
    /// # Errors
    /// The server's error.
    pub async fn read(&mut self, uri: &str) -> Result<Read, RpcError> {
        self.request("resources/read", json!({ "uri": uri })).await.map(Read::from_result)
    }

    /// Lists the resource templates.
    ///
    /// # Errors
    /// The server's error.
    pub async fn templates(&mut self) -> Result<Vec<Value>, RpcError> {
        let result = self.request("resources/templates/list", json!({})).await?;
        Ok(entries(&result, "resourceTemplates"))
    }

    /// Sends `server/discover`, which only revisions without a handshake have. Returns the whole result.
    ///
    /// # Errors
    /// The server's error.
    pub async fn discover(&mut self) -> Result<Value, RpcError> {
        self.request("server/discover", json!({})).await
    }

    /// Sends `ping`, which only revisions with a handshake have.
    ///
    /// # Errors
    /// The server's error.
    pub async fn ping(&mut self) -> Result<(), RpcError> {
        self.request("ping", json!({})).await.map(drop)
    }
}

/// The entries of one page of a list.
pub(super) fn entries(result: &Value, member: &str) -> Vec<Value> {
    result[member].as_array().cloned().unwrap_or_default()
}
