//! The data of a client: its line to the server, the result of its first request, and the log of all messages.

use bytes::Bytes;
use grange_core::Revision;
use serde_json::Value;

use crate::clock::ManualClock;
use crate::host::FakeHost;
use crate::line::Line;

/// A connected client. Created by [`connect`](crate::connect) and [`connect_http`](crate::connect_http), or, with the
/// files of a host behind it, by [`connect_host`](crate::connect_host) and
/// [`connect_host_http`](crate::connect_host_http).
///
/// Its methods wait by polling the server's jobs in the caller's task, so they need a runtime only if the readers do.
/// **A method that waits for an answer panics if no running work could still give it**: that is an error in the server.
pub struct Client {
    pub(super) line: Line,
    pub(super) revision: Revision,
    /// The result of `initialize` or `server/discover`.
    pub(super) opening: Value,
    pub(super) next_id: i64,
    /// Messages that no method has returned.
    pub(super) unread: Vec<Value>,
    /// All messages so far: an observer that is added later gets them too.
    pub(super) log: Vec<(Direction, Value)>,
    pub(super) observers: Vec<Observer>,
    /// The host that answers the server's own requests, if there is one.
    pub(super) host: Option<FakeHost>,
}

pub(super) type Observer = Box<dyn FnMut(Direction, &Value) + Send>;

/// The direction of a message.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Direction {
    /// From the server to the client.
    ToClient,
    /// From the client to the server.
    ToServer,
}

impl Client {
    /// The revision that this client speaks.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// The server's name and version.
    pub fn server_info(&self) -> &Value {
        if self.revision.has_handshake() {
            &self.opening["serverInfo"]
        } else {
            &self.opening["_meta"]["io.modelcontextprotocol/serverInfo"]
        }
    }

    /// The server's instructions.
    pub fn instructions(&self) -> Option<&str> {
        self.opening["instructions"].as_str()
    }

    /// The server's capabilities.
    pub fn capabilities(&self) -> &Value {
        &self.opening["capabilities"]
    }

    /// The host behind this client.
    ///
    /// # Panics
    /// If the client has no host.
    pub fn host(&self) -> &FakeHost {
        self.host.as_ref().expect(NO_HOST)
    }

    /// The host behind this client, to change its behavior.
    ///
    /// # Panics
    /// If the client has no host.
    pub fn host_mut(&mut self) -> &mut FakeHost {
        self.host.as_mut().expect(NO_HOST)
    }

    /// The clock for this client's requests.
    pub fn clock(&self) -> &ManualClock {
        self.line.clock()
    }

    /// Calls `observer` with each message, those before this call included. A sent message that is not JSON is passed
    /// as a string.
    pub fn observe(&mut self, mut observer: impl FnMut(Direction, &Value) + Send + 'static) {
        self.log.iter().for_each(|(direction, message)| observer(*direction, message));
        self.observers.push(Box::new(observer));
    }

    pub(super) fn sent(&mut self, message: &[u8]) {
        let json = serde_json::from_slice(message);
        let shown = json.unwrap_or_else(|_| Value::from(String::from_utf8_lossy(message)));
        self.record(Direction::ToServer, shown);
    }

    pub(super) fn received(&mut self, message: &Bytes) -> Value {
        let json: Value = serde_json::from_slice(message).expect("a server sends only JSON");
        self.record(Direction::ToClient, json.clone());
        self.line.learn(&json);
        json
    }

    pub(super) fn record(&mut self, direction: Direction, message: Value) {
        self.observers.iter_mut().for_each(|observer| observer(direction, &message));
        self.log.push((direction, message));
    }
}

const NO_HOST: &str = "there is no host behind this client: connect it with `connect_host` or `connect_host_http`";
