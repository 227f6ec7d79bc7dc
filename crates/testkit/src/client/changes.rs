//! Subscriptions, and the notifications of changes.

use serde_json::{Value, json};

use super::exchange::Pending;
use super::state::Client;
use crate::error::RpcError;

impl Client {
    /// Subscribes to the changes of a resource, in a revision with a handshake. Others [`listen`](Self::listen).
    ///
    /// # Errors
    /// The server's error.
    pub async fn subscribe(&mut self, uri: &str) -> Result<(), RpcError> {
        self.request("resources/subscribe", json!({ "uri": uri })).await.map(drop)
    }

    /// Ends a subscription.
    ///
    /// # Errors
    /// The server's error.
    pub async fn unsubscribe(&mut self, uri: &str) -> Result<(), RpcError> {
        self.request("resources/unsubscribe", json!({ "uri": uri })).await.map(drop)
    }

    /// Opens a stream of changes, in a revision without a handshake. `notifications` is the filter. The acknowledgment is the stream's first
    /// message; returns its `notifications`. The stream stays open until the request is [cancelled](Self::cancel).
    ///
    /// ```
    /// # use grange_core::{Changes, Resource, Revision, Server};
    /// # use serde_json::json;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let changes = Changes::new();
    /// let status = Resource::builder().uri("shop://status").name("status").text("open").build();
    /// let server = Server::builder("shop", "1.0.0").resource(status).changes(&changes).build()?;
    /// let mut client = grange_testkit::connect(&server, Revision::V2026_07_28).await?;
    /// let (_stream, honored) = client.listen(&json!({ "resourceSubscriptions": ["shop://status", "shop://lost"] }));
    /// assert_eq!(honored, json!({ "resourceSubscriptions": ["shop://status"] }));
    /// changes.updated("shop://status");
    /// assert_eq!(client.next_change().expect("a change")["params"]["uri"], "shop://status");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Panics
    /// If the server does not acknowledge.
    pub fn listen(&mut self, notifications: &Value) -> (Pending, Value) {
        let pending = self.start("subscriptions/listen", json!({ "notifications": notifications }));
        self.settle();
        let id = json!(pending.id());
        let mut acknowledged = self.take_unread_if(|message| {
            message["method"] == "notifications/subscriptions/acknowledged"
                && message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == id
        });
        let first = acknowledged.first_mut().expect("the server acknowledges each listen");
        (pending, first["params"]["notifications"].take())
    }

    /// The next notification of a change: `notifications/resources/updated`, or one that a list has changed. Does not wait, and does not
    /// move the [`clock`](Self::clock): the server folds changes for [`Limits::notify_interval`](grange_core::Limits::notify_interval).
    pub fn next_change(&mut self) -> Option<Value> {
        self.settle();
        let at = self.unread.iter().position(is_change)?;
        Some(self.unread.remove(at))
    }
}

fn is_change(message: &Value) -> bool {
    message["method"]
        .as_str()
        .is_some_and(|method| method == "notifications/resources/updated" || method.ends_with("/list_changed"))
}
