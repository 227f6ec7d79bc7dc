//! A client of any revision, in the test's own task.

mod call;
mod connect;
mod exchange;

use bytes::Bytes;
use grange_core::Revision;
use serde_json::{Value, json};

pub use self::connect::{connect, connect_host, connect_host_http, connect_http};
pub use self::exchange::Pending;
use crate::clock::ManualClock;
use crate::error::RpcError;
use crate::host::FakeHost;
use crate::line::Line;
use crate::read::Read;

/// A connected client; see [`connect`] and [`connect_http`], and for one with a host's files behind it [`connect_host`] and
/// [`connect_host_http`].
///
/// Its methods wait by polling the server's work in the caller's task, so they need no runtime but what the readers
/// need. **A method that waits for an answer panics if nothing runs that could still give it**: that is a fault of the
/// server.
pub struct Client {
    line: Line,
    revision: Revision,
    /// The result of `initialize` or `server/discover`.
    opening: Value,
    next_id: i64,
    /// Messages that nobody has taken yet.
    unread: Vec<Value>,
    /// Everything so far, for observers that come later.
    log: Vec<(Direction, Value)>,
    observers: Vec<Observer>,
    /// Who answers the server's own requests, if anybody does.
    host: Option<FakeHost>,
}

type Observer = Box<dyn FnMut(Direction, &Value) + Send>;

/// Which way a message went.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Direction {
    /// From the server to the client.
    ToClient,
    /// From the client to the server.
    ToServer,
}

/// One page of `resources/list`.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// The entries.
    pub resources: Vec<Value>,
    /// Where the next page begins; `None` on the last one.
    pub next_cursor: Option<String>,
}

impl Client {
    /// Lists the resources, all pages joined.
    ///
    /// # Errors
    /// What the server answered.
    pub async fn list(&mut self) -> Result<Vec<Value>, RpcError> {
        let mut page = self.list_page(None).await?;
        let mut all = page.resources;
        while let Some(cursor) = page.next_cursor {
            page = self.list_page(Some(&cursor)).await?;
            all.append(&mut page.resources);
        }
        Ok(all)
    }

    /// Lists one page of the resources: the first, or the one that a cursor leads to.
    ///
    /// # Errors
    /// What the server answered.
    pub async fn list_page(&mut self, cursor: Option<&str>) -> Result<Page, RpcError> {
        let params = cursor.map_or_else(|| json!({}), |cursor| json!({ "cursor": cursor }));
        let result = self.request("resources/list", params).await?;
        let next_cursor = result["nextCursor"].as_str().map(str::to_owned);
        Ok(Page { resources: entries(&result, "resources"), next_cursor })
    }

    /// Reads a resource.
    ///
    /// # Errors
    /// What the server answered.
    pub async fn read(&mut self, uri: &str) -> Result<Read, RpcError> {
        self.request("resources/read", json!({ "uri": uri })).await.map(Read::from_result)
    }

    /// Lists the resource templates.
    ///
    /// # Errors
    /// What the server answered.
    pub async fn templates(&mut self) -> Result<Vec<Value>, RpcError> {
        let result = self.request("resources/templates/list", json!({})).await?;
        Ok(entries(&result, "resourceTemplates"))
    }

    /// Asks what the server is and has. Only revisions without a handshake know how.
    ///
    /// # Errors
    /// What the server answered.
    pub async fn discover(&mut self) -> Result<Value, RpcError> {
        self.request("server/discover", json!({})).await
    }

    /// Asks for a sign of life. Only revisions with a handshake know how.
    ///
    /// # Errors
    /// What the server answered.
    pub async fn ping(&mut self) -> Result<(), RpcError> {
        self.request("ping", json!({})).await.map(drop)
    }

    /// The revision this client speaks.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Who the server says it is.
    pub fn server_info(&self) -> &Value {
        if self.revision.has_handshake() {
            &self.opening["serverInfo"]
        } else {
            &self.opening["_meta"]["io.modelcontextprotocol/serverInfo"]
        }
    }

    /// How the server says it should be used.
    pub fn instructions(&self) -> Option<&str> {
        self.opening["instructions"].as_str()
    }

    /// What the server says it can do.
    pub fn capabilities(&self) -> &Value {
        &self.opening["capabilities"]
    }

    /// The host behind this client.
    ///
    /// # Panics
    /// When it was connected without.
    pub fn host(&self) -> &FakeHost {
        self.host.as_ref().expect(NO_HOST)
    }

    /// The host behind this client, to have it behave in another way from now on.
    ///
    /// # Panics
    /// When it was connected without.
    pub fn host_mut(&mut self) -> &mut FakeHost {
        self.host.as_mut().expect(NO_HOST)
    }

    /// The clock that this client's requests run on.
    pub fn clock(&self) -> &ManualClock {
        self.line.clock()
    }

    /// Shows every message to an observer, those that were exchanged before included. What the client sent and is no JSON
    /// is shown as a string.
    pub fn observe(&mut self, mut observer: impl FnMut(Direction, &Value) + Send + 'static) {
        self.log.iter().for_each(|(direction, message)| observer(*direction, message));
        self.observers.push(Box::new(observer));
    }

    fn sent(&mut self, message: &[u8]) {
        let json = serde_json::from_slice(message);
        let shown = json.unwrap_or_else(|_| Value::from(String::from_utf8_lossy(message)));
        self.note(Direction::ToServer, shown);
    }

    fn received(&mut self, message: &Bytes) -> Value {
        let json: Value = serde_json::from_slice(message).expect("a server sends nothing but JSON");
        self.note(Direction::ToClient, json.clone());
        self.line.learn(&json);
        json
    }

    fn note(&mut self, direction: Direction, message: Value) {
        self.observers.iter_mut().for_each(|observer| observer(direction, &message));
        self.log.push((direction, message));
    }
}

const NO_HOST: &str = "there is no host behind this client: connect it with `connect_host` or `connect_host_http`";

fn entries(result: &Value, member: &str) -> Vec<Value> {
    result[member].as_array().cloned().unwrap_or_default()
}
