//! The messages of one job before its answer, on their way from author code to the driver.
//!
//! Progress cannot fill it: once [`MAX_WAITING`] messages wait, new progress replaces the progress before it, so that
//! memory does not grow while a client does not read. Not here: the requests to the client themselves
//! (`session/requests.rs`), and times (`timers.rs`).

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};
use std::task::Waker;

use bytes::Bytes;

use crate::lock::lock;
use crate::model::{Progress, Text};

/// Number of waiting messages from which on new progress replaces the progress before it.
const MAX_WAITING: usize = 16;

/// The messages that one job has yet to send.
#[derive(Default)]
pub(crate) struct Outbox(Mutex<State>);

#[derive(Default)]
struct State {
    waiting: VecDeque<Outgoing>,
    /// The newest progress; later progress must be larger.
    progress: Option<f64>,
    /// Wakes the task that polls the job.
    waker: Option<Waker>,
    closed: bool,
}

/// A message of author code.
#[derive(Debug)]
pub(crate) enum Outgoing {
    Progress(Progress),
    /// A request to the client, under this id.
    Request {
        id: u64,
        method: Text,
        params: Bytes,
    },
    /// The connection of this request may close; the client resumes the stream to get the answer.
    Suspend,
    /// The request to the client with this id need not be answered.
    Cancelled {
        id: u64,
        reason: &'static str,
    },
}

impl Outbox {
    /// Wakes that task whenever there is a new message.
    pub(crate) fn wake_on_news(&self, waker: &Waker) {
        let mut state = self.state();
        if state.waker.as_ref().is_some_and(|other| other.will_wake(waker)) {
            return;
        }
        let before = state.waker.replace(waker.clone());
        drop(state);
        // Dropping a waker may run code.
        drop(before);
    }

    pub(crate) fn wake(&self) {
        let waker = self.state().waker.clone();
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Adds a message. Returns `false` if the job is over and will not send it.
    pub(crate) fn post(&self, outgoing: Outgoing) -> bool {
        let mut state = self.state();
        if state.closed {
            return false;
        }
        state.waiting.push_back(outgoing);
        drop(state);
        self.wake();
        true
    }

    /// Adds progress, if it is larger than the progress before.
    pub(crate) fn post_progress(&self, progress: Progress) {
        let mut state = self.state();
        let is_more = state.progress.is_none_or(|before| progress.progress > before);
        if state.closed || !is_more || !progress.is_finite() {
            return;
        }
        state.progress = Some(progress.progress);
        let is_full = state.waiting.len() >= MAX_WAITING;
        match state.waiting.back_mut() {
            Some(last @ Outgoing::Progress(_)) if is_full => *last = Outgoing::Progress(progress),
            _ => state.waiting.push_back(Outgoing::Progress(progress)),
        }
        drop(state);
        self.wake();
    }

    /// Takes the next message. A request, and every message behind it, stays until requests may be sent.
    pub(crate) fn take(&self, may_send_requests: impl FnOnce() -> bool) -> Option<Outgoing> {
        let mut state = self.state();
        match state.waiting.front()? {
            Outgoing::Request { .. } if !may_send_requests() => None,
            _ => state.waiting.pop_front(),
        }
    }

    /// Removes a request that need not be sent.
    pub(crate) fn forget_request(&self, unwanted: u64) {
        self.state().waiting.retain(|outgoing| !matches!(outgoing, Outgoing::Request { id, .. } if *id == unwanted));
    }

    /// Closes the outbox. Returns the messages that were not sent.
    pub(crate) fn close(&self) -> VecDeque<Outgoing> {
        let mut state = self.state();
        state.closed = true;
        std::mem::take(&mut state.waiting)
    }

    /// Whether the job is over.
    pub(crate) fn is_closed(&self) -> bool {
        self.state().closed
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.0)
    }
}
