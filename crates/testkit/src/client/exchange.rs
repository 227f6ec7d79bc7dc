//! Requests and their answers.

use std::future::poll_fn;
use std::task::{Context, Poll, Waker};

use serde_json::{Map, Value, json};

use super::state::{Client, Direction};
use crate::error::RpcError;
use crate::host::HostAct;
use crate::line::Stream;

/// A request that was sent and is not finished: an argument for [`Client::finish`] or [`Client::cancel`].
#[derive(Debug)]
#[must_use = "finish it or cancel it"]
pub struct Pending {
    id: i64,
    /// How many jobs had started before it was sent: the serial number of its own job, if it starts one.
    serial: u64,
    stream: Stream,
}

impl Pending {
    /// The request's JSON-RPC id.
    pub fn id(&self) -> i64 {
        self.id
    }

    /// The stream that carries the answer, and before it the server's requests and notifications for this request.
    pub fn stream(&self) -> Stream {
        self.stream
    }
}

impl Client {
    /// Sends a request and waits for its answer. `params` is an object. For a revision without a handshake, the
    /// metadata of each request is added to it.
    ///
    /// Do not use it for `subscriptions/listen`, which is answered only when its stream ends: [`start`](Self::start)
    /// that request and read the stream with [`take_unread`](Self::take_unread).
    ///
    /// # Errors
    /// The server's error.
    ///
    /// # Panics
    /// If the server does not answer, or `params` is not an object.
    pub async fn request(&mut self, method: &str, params: Value) -> Result<Value, RpcError> {
        let pending = self.start(method, params);
        self.finish(pending).await
    }

    /// Sends a request and polls the server once, so that a reader starts to run.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use grange_core::{Resource, Revision, Server};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let stuck = Resource::builder().uri("docs://stuck").name("stuck");
    /// let stuck = stuck.read(|_cx| async { Ok(std::future::pending::<String>().await) }).build();
    /// let server = Server::builder("documentation", "1.0.0").resource(stuck).build()?;
    /// let mut client = grange_testkit::connect(&server, Revision::V2025_11_25).await?;
    ///
    /// let pending = client.start("resources/read", serde_json::json!({ "uri": "docs://stuck" }));
    /// client.clock().advance(Duration::from_secs(60));
    /// assert_eq!(client.finish(pending).await.unwrap_err().message, "Internal error");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Panics
    /// If `params` is not an object.
    pub fn start(&mut self, method: &str, params: Value) -> Pending {
        let (id, serial) = (self.next_id, self.line.started());
        self.next_id += 1;
        let params = self.with_metadata(params);
        let stream = self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        self.poll(&mut Context::from_waker(Waker::noop()));
        Pending { id, serial, stream }
    }

    /// Waits for the answer to a request.
    ///
    /// # Errors
    /// The server's error; or -32000, "Connection closed", if no answer can arrive because the host behind the client
    /// dropped the stream or ended the session.
    ///
    /// # Panics
    /// If no running work could still answer.
    pub async fn finish(&mut self, pending: Pending) -> Result<Value, RpcError> {
        let mut answer = poll_fn(|cx| {
            self.poll(cx);
            match self.take_answer(pending.id) {
                Some(answer) => Poll::Ready(answer),
                None if self.line.is_lost(pending.stream) && !self.line.is_working_on(pending.stream) => {
                    Poll::Ready(json!({ "error": { "code": CONNECTION_CLOSED, "message": "Connection closed" } }))
                }
                None if self.line.is_working_since(0) => Poll::Pending,
                None => panic!("request {} has no answer, and nothing runs that could give it", pending.id),
            }
        })
        .await;
        match answer.get("error") {
            Some(error) => Err(RpcError::from_json(error)),
            None => Ok(answer["result"].take()),
        }
    }

    /// Cancels a request in the way of the transport: over HTTP, drops the connection if the revision cancels by that;
    /// otherwise sends `notifications/cancelled`. An answer that still arrives is in
    /// [`take_unread`](Self::take_unread).
    #[expect(clippy::needless_pass_by_value, reason = "a cancelled request cannot be finished")]
    pub fn cancel(&mut self, pending: Pending) {
        if !self.line.drop_connection(pending.serial) {
            self.notify("notifications/cancelled", json!({ "requestId": pending.id }));
        }
    }

    /// Sends a notification.
    ///
    /// # Panics
    /// If `params` is not an object.
    pub fn notify(&mut self, method: &str, params: Value) {
        let params = self.with_metadata(params);
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends bytes unchanged and returns all messages that the server sends until the work for them is done. Does not
    /// wait for held streams.
    /// ```
    /// # use grange_core::{Resource, Revision, Server};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = Server::builder("documentation", "1.0.0").resources([]).build()?;
    /// let mut client = grange_testkit::connect(&server, Revision::V2025_06_18).await?;
    /// assert_eq!(client.raw("{not json").await[0]["error"]["code"], -32700);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn raw(&mut self, message: impl AsRef<[u8]>) -> Vec<Value> {
        let (started, before) = (self.line.started(), self.unread.len());
        self.sent(message.as_ref());
        self.line.send(message.as_ref());
        poll_fn(|cx| {
            self.poll(cx);
            if self.line.is_working_since(started) { Poll::Pending } else { Poll::Ready(()) }
        })
        .await;
        self.unread.split_off(before)
    }

    /// Polls the server until nothing makes progress without new input. The host behind the client answers meanwhile.
    pub fn settle(&mut self) {
        self.line.settle();
        while self.drain() {
            self.line.settle();
        }
    }

    /// Takes the messages that no method has returned: notifications (except progress that
    /// [`finish_tool`](Self::finish_tool) returned), answers to cancelled requests, and the server's own requests if
    /// there is no host behind the client.
    pub fn take_unread(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.unread)
    }

    /// Ends the held streams, as a driver does on shutdown.
    pub fn end_streams(&mut self) {
        self.line.end_streams();
        self.settle();
    }

    /// Sends a message unchanged, such as the answer to a request of the server, and does not wait. Returns the stream
    /// that an answer would arrive on.
    pub fn send(&mut self, message: &Value) -> Stream {
        self.record(Direction::ToServer, message.clone());
        self.line.send(message.to_string().as_bytes())
    }

    fn poll(&mut self, cx: &mut Context<'_>) {
        self.line.poll(cx);
        self.drain();
    }

    /// Takes the messages that arrived. Returns whether the host reacted to one.
    fn drain(&mut self) -> bool {
        let mut acted = false;
        while let Some((stream, message)) = self.line.receive() {
            let message = self.received(&message);
            let acts = self.host.as_mut().map(|host| host.act(stream, &message)).unwrap_or_default();
            acted |= !acts.is_empty();
            for act in acts {
                self.carry_out(stream, act);
            }
            let for_host = message["method"].is_string() && message.get("id").is_some() && self.host.is_some();
            if !for_host {
                self.unread.push(message);
            }
        }
        acted
    }

    fn carry_out(&mut self, stream: Stream, act: HostAct) {
        match act {
            HostAct::Send(message) => {
                self.send(&message);
            }
            HostAct::DropStream => self.line.drop_stream(stream),
            HostAct::EndSession => self.line.end_session(),
        }
    }

    fn take_answer(&mut self, id: i64) -> Option<Value> {
        let index = self.unread.iter().position(|message| message["id"] == id && message.get("method").is_none())?;
        Some(self.unread.remove(index))
    }

    /// Takes the unread messages for which `wanted` is true.
    pub(super) fn take_unread_if(&mut self, wanted: impl Fn(&Value) -> bool) -> Vec<Value> {
        self.unread.extract_if(.., |message| wanted(message)).collect()
    }

    /// Adds the metadata that each request of the revision carries; members that the test set stay.
    fn with_metadata(&self, params: Value) -> Value {
        let Value::Object(mut params) = params else { panic!("params must be an object, not {params}") };
        if self.revision.has_handshake() {
            return params.into();
        }
        let meta = params.entry("_meta").or_insert_with(|| Map::new().into());
        if let Some(meta) = meta.as_object_mut() {
            let own = [
                ("protocolVersion", json!(self.revision.name())),
                ("clientCapabilities", self.client_capabilities().unwrap_or_else(|| json!({}))),
                ("clientInfo", self.client_info()),
            ];
            for (name, value) in own {
                meta.entry(format!("io.modelcontextprotocol/{name}")).or_insert(value);
            }
        }
        params.into()
    }
}

/// The code that SDK clients use for a lost connection.
const CONNECTION_CLOSED: i64 = -32000;
