//! What a handshake settled with one client, and the requests that go the other way, from us to it.
//!
//! A pipe has one once it has shaken hands; over HTTP it is the engine's half of a session, and the driver keeps it under
//! an id. It holds no clock and no stream: a request of ours travels on the stream of the client's request that it is for
//! ([`crate::Job`]), only its answer comes in here.
//!
//! Not here: where author code waits for the answer (`define/request.rs`), and how long (`outbox.rs`).

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::Waker;

use bytes::Bytes;
use tokio::sync::oneshot;

use crate::rpc::{Code, IdKey, IdToken, Outcome, RequestId, Response, Wire, write_error};

/// One client that shook hands. Clones are the same session.
#[derive(Clone)]
pub struct Session(Arc<Inner>);

struct Inner {
    /// The name of the revision that was settled on.
    version: &'static str,
    id_only_first_event: bool,
    /// As the client sent them, as JSON.
    client_info: Bytes,
    client_capabilities: Bytes,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The last id given to a request of ours.
    last: u64,
    /// Requests of ours that are not answered.
    waiting: HashMap<u64, oneshot::Sender<Answer>>,
    /// Requests of ours that were sent and are not wanted any more, by nobody who could say so.
    withdrawn: Vec<u64>,
    /// Whether the client said that it is initialized: requests of ours wait for that.
    ready: bool,
    /// Who waits for it.
    stalled: Vec<Waker>,
    /// Nothing more will be answered.
    ended: bool,
    /// The client's requests that are being worked on and can be cancelled by id.
    open: HashMap<IdKey, Vec<Open>>,
    enrolled: u64,
}

/// One request of the client's, by the serial number of its enrolment.
type Open = (u64, Weak<dyn Cancel>);

/// A handshake that was answered, for a driver that keeps its session, or refuses to.
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

    /// The answer, and the session that begins with it.
    pub fn accept(self) -> (Wire, Session) {
        (self.answer, self.session)
    }

    /// What the driver is to keep.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// An error in place of the answer. The message should say which setting would allow it.
    pub fn refuse(&self, message: &str) -> Wire {
        Wire::one(write_error(Some(self.id.token()), Code::INVALID_REQUEST, message, None))
    }
}

/// What came back, as JSON.
#[derive(Debug)]
pub(crate) enum Answer {
    Error(Bytes),
    Result(Bytes),
}

/// Work that can be cancelled.
pub(crate) trait Cancel: Send + Sync {
    fn cancel(&self);
}

impl Session {
    /// Copies what the client said of itself: it is kept for long, and the message it came in is not.
    pub(crate) fn new(
        version: &'static str,
        id_only_first_event: bool,
        client_info: &str,
        client_capabilities: &str,
    ) -> Self {
        let copy = |text: &str| Bytes::copy_from_slice(text.as_bytes());
        let (client_info, client_capabilities) = (copy(client_info), copy(client_capabilities));
        Self(Arc::new(Inner {
            version,
            id_only_first_event,
            client_info,
            client_capabilities,
            state: Mutex::default(),
        }))
    }

    pub(crate) fn version(&self) -> &'static str {
        self.0.version
    }

    /// Whether an event stream opens with an event that has only an id, by which the client can come back.
    pub fn has_primed_streams(&self) -> bool {
        self.0.id_only_first_event
    }

    pub(crate) fn client_info(&self) -> &Bytes {
        &self.0.client_info
    }

    pub(crate) fn client_capabilities(&self) -> &Bytes {
        &self.0.client_capabilities
    }

    /// Bytes that this session keeps for its client.
    pub fn bytes(&self) -> usize {
        self.0.client_info.len() + self.0.client_capabilities.len()
    }

    /// Whether the client has yet to answer a request of ours.
    pub fn is_waiting(&self) -> bool {
        !self.state().waiting.is_empty()
    }

    /// Ends the session: the client's requests are cancelled, and ours will not be answered any more.
    pub fn end(&self) {
        let open = std::mem::take(&mut self.state().open);
        open.into_values().flatten().filter_map(|(_, work)| work.upgrade()).for_each(|work| work.cancel());
        self.disconnect();
    }

    /// No answer can come in any more. Work goes on without.
    pub(crate) fn disconnect(&self) {
        let mut state = self.state();
        state.ended = true;
        state.waiting.clear();
        let stalled = std::mem::take(&mut state.stalled);
        drop(state);
        stalled.into_iter().for_each(Waker::wake);
    }

    /// The client said that it is initialized.
    pub(crate) fn set_ready(&self) {
        let mut state = self.state();
        state.ready = true;
        let stalled = std::mem::take(&mut state.stalled);
        drop(state);
        stalled.into_iter().for_each(Waker::wake);
    }

    /// Whether requests of ours may be sent. If not, wakes that task when they may.
    pub(crate) fn poll_ready(&self, waker: &Waker) -> bool {
        let mut state = self.state();
        if !state.ready && !state.ended && !state.stalled.iter().any(|other| other.will_wake(waker)) {
            state.stalled.push(waker.clone());
        }
        state.ready
    }

    /// An id for a request of ours, and where its answer will come; `None` if none can.
    pub(crate) fn ask(&self) -> Option<(u64, oneshot::Receiver<Answer>)> {
        let (sender, receiver) = oneshot::channel();
        let mut state = self.state();
        if state.ended {
            return None;
        }
        state.last += 1;
        let id = state.last;
        state.waiting.insert(id, sender);
        Some((id, receiver))
    }

    /// The answer to a request of ours is not wanted any more, or can not be had.
    pub(crate) fn forget(&self, id: u64) {
        self.state().waiting.remove(&id);
    }

    /// The client is to be told that a request of ours is not wanted any more.
    pub(crate) fn withdraw(&self, id: u64) {
        /// Told about at most, where nobody asks what is to be told.
        const KEPT: usize = 64;
        let mut state = self.state();
        if state.withdrawn.len() < KEPT {
            state.withdrawn.push(id);
        }
    }

    pub(crate) fn take_withdrawn(&self) -> Vec<u64> {
        std::mem::take(&mut self.state().withdrawn)
    }

    /// Takes the client's answer to where it is waited for. Strays are nothing.
    pub(crate) fn answer(&self, frame: &Bytes, response: &Response<'_>) {
        let Some(id) = response.id.and_then(own_id) else { return };
        let Some(sender) = self.state().waiting.remove(&id) else { return };
        let kept = |text: &str| frame.slice_ref(text.as_bytes());
        // Who waited may have stopped just now.
        let _ = sender.send(match response.outcome {
            Outcome::Error(error) => Answer::Error(kept(error.text())),
            Outcome::Result(result) => Answer::Result(kept(result.text())),
        });
    }

    /// Lets the client cancel this work by its request's id, until what is returned is dropped.
    pub(crate) fn enrol(&self, id: IdToken<'_>, work: Weak<dyn Cancel>) -> InFlightGuard {
        let key = IdKey::new(id);
        let mut state = self.state();
        state.enrolled += 1;
        let serial = state.enrolled;
        state.open.entry(key.clone()).or_default().push((serial, work));
        drop(state);
        InFlightGuard { session: self.clone(), key, serial }
    }

    /// The client gives up one of its requests. If several have that id none is meant for certain.
    pub(crate) fn cancel(&self, id: IdToken<'_>) {
        let work = match self.state().open.get(&IdKey::new(id)).map(Vec::as_slice) {
            Some([(_, work)]) => work.upgrade(),
            _ => None,
        };
        if let Some(work) = work {
            work.cancel();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Our ids are numbers, and come back as such.
fn own_id(id: IdToken<'_>) -> Option<u64> {
    id.to_u64()
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("version", &self.0.version).finish_non_exhaustive()
    }
}

/// Work that its client can cancel by id.
pub(crate) struct InFlightGuard {
    session: Session,
    key: IdKey,
    serial: u64,
}

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        let mut state = self.session.state();
        if let Some(open) = state.open.get_mut(&self.key) {
            open.retain(|(serial, _)| *serial != self.serial);
            if open.is_empty() {
                state.open.remove(&self.key);
            }
        }
    }
}
