//! What a client keeps: its line, what the server said of itself, and the record of all messages.

use bytes::Bytes;
use grange_core::Revision;
use serde_json::Value;

use crate::clock::ManualClock;
use crate::host::FakeHost;
use crate::line::Line;

/// A connected client; see [`connect`](crate::connect) and [`connect_http`](crate::connect_http), and for one with a host's
/// files behind it [`connect_host`](crate::connect_host) and [`connect_host_http`](crate::connect_host_http).
///
/// Its methods wait by polling the server's work in the caller's task, so they need no runtime but what the readers
/// need. **A method that waits for an answer panics if nothing runs that could still give it**: that is a fault of the
/// server.
pub struct Client {
    pub(super) line: Line,
    pub(super) revision: Revision,
    /// The result of `initialize` or `server/discover`.
    pub(super) opening: Value,
    pub(super) next_id: i64,
    /// Messages that nobody has taken yet.
    pub(super) unread: Vec<Value>,
    /// Everything so far, for observers that come later.
    pub(super) log: Vec<(Direction, Value)>,
    pub(super) observers: Vec<Observer>,
    /// Who answers the server's own requests, if anybody does.
    pub(super) host: Option<FakeHost>,
}

pub(super) type Observer = Box<dyn FnMut(Direction, &Value) + Send>;

/// Which way a message went.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Direction {
    /// From the server to the client.
    ToClient,
    /// From the client to the server.
    ToServer,
}

impl Client {
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

    pub(super) fn sent(&mut self, message: &[u8]) {
        let json = serde_json::from_slice(message);
        let shown = json.unwrap_or_else(|_| Value::from(String::from_utf8_lossy(message)));
        self.note(Direction::ToServer, shown);
    }

    pub(super) fn received(&mut self, message: &Bytes) -> Value {
        let json: Value = serde_json::from_slice(message).expect("a server sends nothing but JSON");
        self.note(Direction::ToClient, json.clone());
        self.line.learn(&json);
        json
    }

    pub(super) fn note(&mut self, direction: Direction, message: Value) {
        self.observers.iter_mut().for_each(|observer| observer(direction, &message));
        self.log.push((direction, message));
    }
}

const NO_HOST: &str = "there is no host behind this client: connect it with `connect_host` or `connect_host_http`";
