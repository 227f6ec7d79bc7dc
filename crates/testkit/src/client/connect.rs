//! How a client connects: the transport that it imitates, and its first request.

use grange_core::{Revision, Server};
use serde_json::{Value, json};

use super::state::Client;
use crate::clock::ManualClock;
use crate::error::RpcError;
use crate::host::FakeHost;
use crate::line::Line;

/// Connects as over a pipe. Sends `initialize` if the revision has a handshake, otherwise `server/discover`.
///
/// ```
/// # use grange_core::{Resource, Revision, Server};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = Server::builder("documentation", "1.0.0").instructions("Read.").resources([]).build()?;
/// for revision in Revision::ALL {
///     let client = grange_testkit::connect(&server, revision).await?;
///     assert_eq!(client.server_info()["name"], "documentation");
///     assert_eq!(client.instructions(), Some("Read."));
/// }
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// The server's error, or one of this client if the server settled on another revision.
pub async fn connect(server: &Server, revision: Revision) -> Result<Client, RpcError> {
    Client::open(Line::pipe(server, ManualClock::new()), revision, None).await
}

/// Connects as over HTTP without sessions: each message is its own POST, with the headers that mirror its body.
///
/// It skips the checks of the transport (host, origin, media types, size) and has no HTTP statuses.
///
/// # Errors
/// The server's error, or one of this client if the server settled on another revision.
pub async fn connect_http(server: &Server, revision: Revision) -> Result<Client, RpcError> {
    Client::open(Line::http(server, revision, ManualClock::new()), revision, None).await
}

/// Connects as over HTTP, with a session and its `GET` stream if the revision has a handshake and the server tells clients of changes, or
/// sends requests to them.
///
/// # Errors
/// The server's error, or one of this client if the server settled on another revision.
pub async fn connect_session(server: &Server, revision: Revision) -> Result<Client, RpcError> {
    let line = Line::http(server, revision, ManualClock::new()).with_session().with_get_stream();
    Client::open(line, revision, None).await
}

/// Connects as over a pipe, with a fake host behind the client. The host sends its own name and capabilities, and
/// answers the server's requests while the client waits. See [`FakeHost`].
///
/// # Errors
/// The server's error, or one of this client if the server settled on another revision.
pub async fn connect_host(server: &Server, revision: Revision, host: FakeHost) -> Result<Client, RpcError> {
    Client::open(Line::pipe(server, host.clock().clone()), revision, Some(host)).await
}

/// Connects as over HTTP, with a fake host behind the client. Has a session if the server sends requests to clients
/// (`ServerBuilder::requests_to_client`), as the HTTP transport does. Such a request arrives on the response to the
/// POST that caused it; the host's answers are POSTs.
///
/// ```
/// # use grange_core::{HostStatus, Revision, Server, Tool, host};
/// # use grange_testkit::{FakeHost, Stream, connect_host_http};
/// # use serde_json::json;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let count = Tool::builder().name("count").call_without_arguments(|cx| async move {
///     Ok(host(&cx).list(Default::default()).await?.resources.len().to_string())
/// });
/// let server = Server::builder("files", "1.0.0").tool(count);
/// let server = server.requests_to_client().revisions(Revision::HANDSHAKE).build()?;
/// let files = FakeHost::new().file("fl_0123456789abcdef01234567", "text/plain", "hello");
/// let mut client = connect_host_http(&server, Revision::V2025_06_18, files).await?;
/// assert_eq!(client.call_tool("count", json!({})).await?.text(), Some("1"));
/// // The first POST was `initialize`, the second `notifications/initialized`.
/// assert_eq!(client.host().log()[0].stream(), Stream::Post(3));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// The server's error, or one of this client if the server settled on another revision.
pub async fn connect_host_http(server: &Server, revision: Revision, host: FakeHost) -> Result<Client, RpcError> {
    let mut line = Line::http(server, revision, host.clock().clone()).with_session();
    if !host.takes_streams() {
        line = line.without_streams();
    }
    if host.gets() {
        line = line.with_get_stream();
    }
    Client::open(line, revision, Some(host)).await
}

impl Client {
    async fn open(line: Line, revision: Revision, host: Option<FakeHost>) -> Result<Self, RpcError> {
        // Some hosts number their requests from 0, which is a valid id.
        let (opening, next_id) = (Value::Null, i64::from(host.is_none()));
        let (unread, log, observers) = Default::default();
        let mut client = Self { line, revision, opening, next_id, unread, log, observers, host };
        client.opening = if revision.has_handshake() { client.shake_hands().await? } else { client.discover().await? };
        Ok(client)
    }

    async fn shake_hands(&mut self) -> Result<Value, RpcError> {
        let requested = self.revision.name();
        let mut params = json!({ "protocolVersion": requested, "clientInfo": self.client_info() });
        if let Some(capabilities) = self.client_capabilities() {
            params["capabilities"] = capabilities;
        }
        let result = self.request("initialize", params).await?;
        if result["protocolVersion"] != requested {
            let message = format!("the server answered {requested} with {}", result["protocolVersion"]);
            return Err(RpcError { code: UNSUPPORTED_VERSION, message, data: Some(result) });
        }
        self.notify("notifications/initialized", json!({}));
        Ok(result)
    }

    /// The client's name and version.
    pub(super) fn client_info(&self) -> Value {
        let own = || json!({ "name": "grange-testkit", "version": env!("CARGO_PKG_VERSION") });
        self.host.as_ref().map_or_else(own, FakeHost::client_info)
    }

    /// The client's capabilities; `None` if the host sends none.
    pub(super) fn client_capabilities(&self) -> Option<Value> {
        self.host.as_ref().map_or_else(|| Some(json!({})), FakeHost::client_capabilities)
    }
}

/// The protocol's code for an unsupported version, used here by the client.
const UNSUPPORTED_VERSION: i64 = -32022;
