//! One session: the result of a handshake, the client's requests in flight, and the server's requests to the client.
//!
//! A pipe has one session. Over HTTP this is the engine's half of a session, and the driver stores it under an id. A
//! session has no clock and no stream: a request to the client is sent on the stream of the client's request that needs
//! it ([`crate::Job`]). Only its answer arrives here.
//!
//! Not here: the future in which author code waits for the answer (`define/client_request.rs`), and its time limit
//! (`timers.rs`).

mod in_flight;
mod messages;
mod requests;

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;

pub(crate) use self::in_flight::{Cancel, InFlight, InFlightGuard};
pub(crate) use self::messages::{Message, Messages};
pub(crate) use self::requests::{Answer, ClientRequest, Requests};
use crate::changes::Listener;
use crate::rpc::{Code, RequestId, Wire, write_error};

/// One session, which a handshake opened. Clones are the same session.
#[derive(Clone)]
pub struct Session(Arc<Inner>);

struct Inner {
    /// The name of the revision that the handshake settled.
    version: &'static str,
    id_only_first_event: bool,
    /// `clientInfo` and `capabilities` as the client sent them, as JSON.
    client_info: Bytes,
    client_capabilities: Bytes,
    in_flight: InFlight,
    requests: Requests,
    messages: Messages,
    /// Its listener, if the server announces changes.
    listener: Option<Arc<Listener>>,
}

/// A handshake with its answer, for a driver that stores the session or rejects it.
#[derive(Debug)]
pub struct NewSession {
    id: RequestId,
    answer: Wire,
    session: Session,
}

impl NewSession {
    pub(crate) fn new(id: RequestId, answer: Wire, session: Session) -> Self {
        Self { id, answer, session }
    }

    /// Accepts the session: returns the answer, and the session that begins with it.
    pub fn accept(self) -> (Wire, Session) {
        (self.answer, self.session)
    }

    /// The session that the driver is to store.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Rejects the session: returns an error in place of the answer. The message should name the setting that would
    /// allow the session.
    pub fn refuse(&self, message: &str) -> Wire {
        Wire::one(write_error(Some(self.id.token()), Code::INVALID_REQUEST, message, None))
    }
}

impl Session {
    /// Copies the client's data, because a session outlives the message that opened it.
    pub(crate) fn new(
        version: &'static str,
        id_only_first_event: bool,
        client_info: &str,
        client_capabilities: &str,
        listener: Option<Listener>,
    ) -> Self {
        let copy = |text: &str| Bytes::copy_from_slice(text.as_bytes());
        let (client_info, client_capabilities) = (copy(client_info), copy(client_capabilities));
        let (in_flight, requests, messages) = Default::default();
        Self(Arc::new(Inner {
            version,
            id_only_first_event,
            client_info,
            client_capabilities,
            in_flight,
            requests,
            messages,
            listener: listener.map(Arc::new),
        }))
    }

    pub(crate) fn version(&self) -> &'static str {
        self.0.version
    }

    /// Whether an event stream opens with an event that has only an id, with which the client can resume the stream.
    pub fn has_id_only_first_event(&self) -> bool {
        self.0.id_only_first_event
    }

    pub(crate) fn client_info(&self) -> &Bytes {
        &self.0.client_info
    }

    pub(crate) fn client_capabilities(&self) -> &Bytes {
        &self.0.client_capabilities
    }

    /// Bytes of the client's data that this session stores.
    pub fn bytes(&self) -> usize {
        self.0.client_info.len() + self.0.client_capabilities.len()
    }

    /// Whether a request to the client is not answered yet.
    pub fn is_waiting(&self) -> bool {
        self.0.requests.is_waiting()
    }

    /// Ends the session: the client's requests are cancelled, and requests to the client get no answer.
    pub fn end(&self) {
        self.0.in_flight.cancel_all();
        self.0.requests.end();
    }

    /// The client's requests in flight, which it can cancel by id.
    pub(crate) fn in_flight(&self) -> &InFlight {
        &self.0.in_flight
    }

    /// The requests to the client.
    pub(crate) fn requests(&self) -> &Requests {
        &self.0.requests
    }

    /// Its listener, if the server announces changes.
    pub(crate) fn listener(&self) -> Option<&Arc<Listener>> {
        self.0.listener.as_ref()
    }

    /// The client is ready for requests and notifications.
    pub(crate) fn set_ready(&self) {
        self.0.requests.set_ready();
        if let Some(listener) = self.listener() {
            listener.set_ready();
        }
    }

    /// The messages that belong to no request.
    pub(crate) fn messages(&self) -> &Messages {
        &self.0.messages
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("version", &self.0.version).finish_non_exhaustive()
    }
}
