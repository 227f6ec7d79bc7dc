//! How a client comes to be: over which way, and with what as its first words.

use grange_core::{Revision, Server};
use serde_json::{Value, json};

use super::Client;
use crate::clock::ManualClock;
use crate::error::RpcError;
use crate::line::Line;

/// Connects as over a pipe. A revision with a handshake opens with it, any other with `server/discover`.
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
/// What the server answered, or that it settled on another revision.
pub async fn connect(server: &Server, revision: Revision) -> Result<Client, RpcError> {
    Client::open(Line::pipe(server, ManualClock::new()), revision).await
}

/// Connects as over HTTP without sessions: each message is a POST of its own, with the headers that mirror its body.
///
/// The transport's own checks (host, origin, media types, size) and statuses are not part of it.
///
/// # Errors
/// What the server answered, or that it settled on another revision.
pub async fn connect_http(server: &Server, revision: Revision) -> Result<Client, RpcError> {
    Client::open(Line::http(server, revision, ManualClock::new()), revision).await
}

impl Client {
    async fn open(line: Line, revision: Revision) -> Result<Self, RpcError> {
        let (opening, next_id) = (Value::Null, 1);
        let (unread, log, observers) = Default::default();
        let mut client = Self { line, revision, opening, next_id, unread, log, observers };
        client.opening = if revision.has_handshake() { client.shake_hands().await? } else { client.discover().await? };
        Ok(client)
    }

    async fn shake_hands(&mut self) -> Result<Value, RpcError> {
        let asked = self.revision.name();
        let params = json!({ "protocolVersion": asked, "capabilities": {}, "clientInfo": client_info() });
        let result = self.request("initialize", params).await?;
        if result["protocolVersion"] != asked {
            let message = format!("the server answered {asked} with {}", result["protocolVersion"]);
            return Err(RpcError { code: UNSUPPORTED_VERSION, message, data: Some(result) });
        }
        self.notify("notifications/initialized", json!({}));
        Ok(result)
    }
}

/// How the kit introduces itself.
pub(super) fn client_info() -> Value {
    json!({ "name": "grange-testkit", "version": env!("CARGO_PKG_VERSION") })
}

/// The protocol's own code for it, though here it is the client that refuses.
const UNSUPPORTED_VERSION: i64 = -32022;
