//! The requests to one client: **their only ledger**.
//!
//! Author code opens an entry and holds it as a [`ClientRequest`]. Only the `ClientRequest` closes the entry. The
//! states of an entry:
//!
//! ```text
//! Queued ──sent──▶ Sent ──answered──▶ Over
//!   └──── the stream or the session is lost ────▲
//! ```

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::Waker;

use bytes::Bytes;
use tokio::sync::oneshot;

use crate::budget::{Budget, Charge};
use crate::lock::lock;
use crate::rpc::{IdToken, Outcome, Response};

/// The ledger. Clones are the same one.
#[derive(Clone, Default)]
pub(crate) struct Requests(Arc<Mutex<Ledger>>);

#[derive(Default)]
struct Ledger {
    /// The id of the last request.
    last: u64,
    open: HashMap<u64, Entry>,
    /// Whether the client has sent `notifications/initialized`. Requests are queued until then.
    is_ready: bool,
    /// By owner, while it has an entry: woken when `is_ready` becomes true.
    waiting_for_ready: HashMap<usize, Waker>,
    /// The session has ended, so no request can be answered.
    has_ended: bool,
    /// Counts the answers that author code has not received.
    budget: Budget,
}

struct Entry {
    /// Identifies the client's request that needs this one.
    owner: usize,
    state: State,
}

enum State {
    Queued(oneshot::Sender<Answer>),
    Sent(oneshot::Sender<Answer>),
    Over,
}

/// The client's answer.
#[derive(Debug)]
pub(crate) enum Answer {
    Error(Kept),
    Result(Kept),
    /// The connection holds as much for its client as it may.
    NoRoom,
}

/// JSON that waits until author code takes it.
#[derive(Debug)]
pub(crate) struct Kept {
    pub(crate) json: Bytes,
    _charge: Charge,
}

/// An open entry. Dropping it closes the entry.
pub(crate) struct ClientRequest {
    requests: Requests,
    id: u64,
    /// Resolves to an error if no answer can come.
    pub(crate) answer: oneshot::Receiver<Answer>,
}

impl Requests {
    /// Opens an entry for the request of the client that `owner` identifies. `None` if no answer can come.
    pub(crate) fn open(&self, owner: usize) -> Option<ClientRequest> {
        let (sender, answer) = oneshot::channel();
        let mut ledger = self.ledger();
        if ledger.has_ended {
            return None;
        }
        ledger.last += 1;
        let id = ledger.last;
        ledger.open.insert(id, Entry { owner, state: State::Queued(sender) });
        Some(ClientRequest { requests: self.clone(), id, answer })
    }

    /// Marks a request as sent. Returns `false` if it must not be sent, because it is not needed or cannot be answered.
    pub(crate) fn set_sent(&self, id: u64) -> bool {
        let mut ledger = self.ledger();
        let Some(entry) = ledger.open.get_mut(&id) else { return false };
        let State::Queued(sender) = std::mem::replace(&mut entry.state, State::Over) else { return false };
        entry.state = State::Sent(sender);
        true
    }

    /// Counts the answers in this budget, which the requests of the client are counted in too.
    pub(crate) fn set_budget(&self, budget: Budget) {
        self.ledger().budget = budget;
    }

    /// Passes the client's answer to the code that waits for it, unless more than `most` bytes would be held then. Unmatched answers are
    /// ignored.
    pub(crate) fn answer(&self, response: &Response<'_>, most: usize) {
        // The ids of requests to the client are numbers, so the id of an answer must be one.
        let Some(id) = response.id.and_then(IdToken::to_u64) else { return };
        let Some(sender) = self.take_sent(id) else { return };
        let budget = self.ledger().budget.clone();
        // A copy, so that the rest of the message is not kept.
        let kept = |text: &str, answer: fn(Kept) -> Answer| match budget.charge(text.len(), most) {
            Some(charge) => answer(Kept { json: Bytes::copy_from_slice(text.as_bytes()), _charge: charge }),
            None => Answer::NoRoom,
        };
        // The code may have stopped waiting just now.
        let _ = sender.send(match response.outcome {
            Outcome::Error(error) => kept(error.text(), Answer::Error),
            Outcome::Result(result) => kept(result.text(), Answer::Result),
        });
    }

    /// The end of the code that waits for the answer to a request which was sent.
    fn take_sent(&self, id: u64) -> Option<oneshot::Sender<Answer>> {
        let mut ledger = self.ledger();
        let entry = ledger.open.get_mut(&id).filter(|entry| matches!(entry.state, State::Sent(_)))?;
        match std::mem::replace(&mut entry.state, State::Over) {
            State::Sent(sender) => Some(sender),
            State::Queued(_) | State::Over => None,
        }
    }

    /// Whether any request is not answered yet.
    pub(crate) fn is_waiting(&self) -> bool {
        self.ledger().open.values().any(Entry::is_waiting)
    }

    /// Whether a request of that owner is not answered yet.
    pub(crate) fn is_waiting_for(&self, owner: usize) -> bool {
        self.ledger().open.values().any(|entry| entry.owner == owner && entry.is_waiting())
    }

    /// Handles the loss of that owner's stream: its requests will not be answered.
    pub(crate) fn disconnect(&self, owner: usize) {
        let mut ledger = self.ledger();
        let lost = ledger.open.values_mut().filter(|entry| entry.owner == owner);
        let lost: Vec<_> = lost.map(|entry| std::mem::replace(&mut entry.state, State::Over)).collect();
        drop(ledger);
        // Dropping the senders wakes author code.
        drop(lost);
    }

    /// Handles the end of the session: no request will be answered.
    pub(crate) fn end(&self) {
        let mut ledger = self.ledger();
        ledger.has_ended = true;
        let lost = ledger.open.values_mut().map(|entry| std::mem::replace(&mut entry.state, State::Over));
        let lost: Vec<_> = lost.collect();
        let waiting = std::mem::take(&mut ledger.waiting_for_ready);
        drop(ledger);
        drop(lost);
        waiting.into_values().for_each(Waker::wake);
    }

    /// Handles `notifications/initialized`: requests may be sent.
    pub(crate) fn set_ready(&self) {
        let mut ledger = self.ledger();
        ledger.is_ready = true;
        let waiting = std::mem::take(&mut ledger.waiting_for_ready);
        drop(ledger);
        waiting.into_values().for_each(Waker::wake);
    }

    /// Whether requests may be sent. If not, wakes the task of that owner once they may.
    pub(crate) fn poll_ready(&self, owner: usize, waker: &Waker) -> bool {
        let mut ledger = self.ledger();
        let has_entry = || ledger.open.values().any(|entry| entry.owner == owner);
        let is_ready = ledger.is_ready;
        let before = if !is_ready && !ledger.has_ended && has_entry() {
            ledger.waiting_for_ready.insert(owner, waker.clone())
        } else {
            None
        };
        drop(ledger);
        // Dropping a waker may run code.
        drop(before);
        is_ready
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        lock(&self.0)
    }
}

impl Entry {
    fn is_waiting(&self) -> bool {
        !matches!(self.state, State::Over)
    }
}

impl ClientRequest {
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    /// Closes the entry. Returns whether the request was sent and is not answered, so that the client should get a
    /// cancellation.
    pub(crate) fn close(&mut self) -> bool {
        let mut ledger = self.requests.ledger();
        let Some(entry) = ledger.open.remove(&self.id) else { return false };
        let is_last = !ledger.open.values().any(|other| other.owner == entry.owner);
        let waker = if is_last { ledger.waiting_for_ready.remove(&entry.owner) } else { None };
        drop(ledger);
        drop(waker);
        matches!(entry.state, State::Sent(_))
    }
}

impl Drop for ClientRequest {
    fn drop(&mut self) {
        self.close();
    }
}
