//! Between author code and the job that runs it: what the code says before its answer, and the times it waits for.
//!
//! It is bounded by folding: of progress only the newest is kept once [`MAX_WAITING`] wait, so that a client which does not
//! read makes nothing grow. It knows no clock: the job is told the time, and tells when it wants to be told next.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use bytes::Bytes;

use crate::model::{Progress, Text};

/// Messages that may wait before progress is folded.
const MAX_WAITING: usize = 16;

/// What one job has still to send, and its timers.
#[derive(Default)]
pub(crate) struct Outbox(Mutex<State>);

#[derive(Default)]
struct State {
    waiting: VecDeque<Outgoing>,
    timers: Vec<Timer>,
    next_timer: u64,
    /// The newest progress; what follows must be more.
    progress: Option<f64>,
    /// Requests of ours that are not answered.
    asked: Vec<u64>,
    /// Polls the job.
    waker: Option<Waker>,
    closed: bool,
}

/// What author code says.
#[derive(Debug)]
pub(crate) enum Outgoing {
    Progress(Progress),
    /// A request of ours to the client, under this id.
    Request {
        id: u64,
        method: Text,
        params: Bytes,
    },
    /// The connection of this request may close; its answer waits for the client to come back.
    Suspend,
    /// That request of ours is not wanted any more.
    Withdrawn {
        id: u64,
        reason: &'static str,
    },
}

struct Timer {
    id: u64,
    time: Duration,
    /// When it is over; known once the job was told the time.
    due: Option<Instant>,
    waker: Option<Waker>,
}

impl Outbox {
    /// Has that task polled when there is something new.
    pub(crate) fn wake_on_news(&self, waker: &Waker) {
        let mut state = self.state();
        if !state.waker.as_ref().is_some_and(|other| other.will_wake(waker)) {
            state.waker = Some(waker.clone());
        }
    }

    pub(crate) fn wake(&self) {
        let waker = self.state().waker.clone();
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Adds a message; `false` if the job is over and nobody will take it.
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

    /// Notes a request of ours that waits for its answer.
    pub(crate) fn note_asked(&self, id: u64) {
        self.state().asked.push(id);
    }

    /// That one waits no more.
    pub(crate) fn note_answered(&self, id: u64) {
        self.state().asked.retain(|asked| *asked != id);
    }

    /// The requests of ours that wait for their answers.
    pub(crate) fn asked(&self) -> Vec<u64> {
        self.state().asked.clone()
    }

    /// Adds progress, if it is more than before.
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

    /// Takes the next message. Requests stay, with all that follows, until they may be sent.
    pub(crate) fn take(&self, may_ask: impl FnOnce() -> bool) -> Option<Outgoing> {
        let mut state = self.state();
        match state.waiting.front()? {
            Outgoing::Request { .. } if !may_ask() => None,
            _ => state.waiting.pop_front(),
        }
    }

    /// Takes back a request that was not sent yet; `false` if it was.
    pub(crate) fn take_back(&self, asked: u64) -> bool {
        let mut state = self.state();
        let before = state.waiting.len();
        state.waiting.retain(|outgoing| !matches!(outgoing, Outgoing::Request { id, .. } if *id == asked));
        state.waiting.len() < before
    }

    /// Closes the outbox and ends all timers. Returns the ids of requests that were sent and are now withdrawn.
    pub(crate) fn close(&self) -> Vec<u64> {
        let mut state = self.state();
        state.closed = true;
        let (mut withdrawn, mut unsent) = (Vec::new(), VecDeque::new());
        for outgoing in std::mem::take(&mut state.waiting) {
            match outgoing {
                Outgoing::Withdrawn { id, .. } => withdrawn.push(id),
                // So that whoever waits for it knows that it was never sent.
                request @ Outgoing::Request { .. } => unsent.push_back(request),
                Outgoing::Progress(_) | Outgoing::Suspend => {}
            }
        }
        state.waiting = unsent;
        let timers = std::mem::take(&mut state.timers);
        drop(state);
        timers.into_iter().filter_map(|timer| timer.waker).for_each(Waker::wake);
        withdrawn
    }

    /// Whether the job is over.
    pub(crate) fn is_closed(&self) -> bool {
        self.state().closed
    }

    /// Starts a timer; its clock begins when the job is next told the time.
    pub(crate) fn start_timer(&self, time: Duration) -> u64 {
        let mut state = self.state();
        let id = state.next_timer;
        state.next_timer += 1;
        if !state.closed {
            state.timers.push(Timer { id, time, due: None, waker: None });
        }
        drop(state);
        self.wake();
        id
    }

    pub(crate) fn poll_timer(&self, id: u64, cx: &Context<'_>) -> Poll<()> {
        let mut state = self.state();
        match state.timers.iter_mut().find(|timer| timer.id == id) {
            Some(timer) => {
                timer.waker = Some(cx.waker().clone());
                Poll::Pending
            }
            None => Poll::Ready(()),
        }
    }

    pub(crate) fn stop_timer(&self, id: u64) {
        self.state().timers.retain(|timer| timer.id != id);
    }

    /// When the next timer is over. Starts the clocks of new ones.
    pub(crate) fn due(&self, now: Instant) -> Option<Instant> {
        let mut state = self.state();
        for timer in state.timers.iter_mut().filter(|timer| timer.due.is_none()) {
            timer.due = now.checked_add(timer.time);
        }
        state.timers.iter().filter_map(|timer| timer.due).min()
    }

    /// Ends the timers that are over.
    pub(crate) fn expire(&self, now: Instant) {
        let over = |timer: &mut Timer| timer.due.is_some_and(|due| due <= now);
        let over: Vec<_> = self.state().timers.extract_if(.., over).filter_map(|timer| timer.waker).collect();
        over.into_iter().for_each(Waker::wake);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
