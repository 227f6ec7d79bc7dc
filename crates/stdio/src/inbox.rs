//! The messages from the jobs of one driver, which wakes when there are any.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Waker};

use grange_core::{JobEvent, Ticket, Wire};

/// The capacity in bytes that a batch keeps.
const KEPT: usize = 512 * 1024;

/// The messages that were not taken yet.
#[derive(Default)]
pub(crate) struct Inbox {
    state: Mutex<State>,
    /// Whether more than `State::most` is held.
    is_full: AtomicBool,
}

#[derive(Default)]
struct State {
    batch: Batch,
    driver: Option<Waker>,
    /// Bytes of the messages in the batch.
    posted: usize,
    /// Bytes of the answers that jobs have ready behind other messages.
    kept: usize,
    /// Bytes of the messages that the driver has, when it took some last.
    taken: usize,
    /// The most bytes of all these.
    most: usize,
}

/// Bytes of the answer that one job has ready behind other messages.
#[derive(Default)]
pub(crate) struct Kept(usize);

/// Messages of jobs, in order.
#[derive(Default)]
pub(crate) struct Batch {
    posted: Vec<Posted>,
    /// The short messages, one after the other.
    short: Vec<u8>,
}

struct Posted {
    ticket: Ticket,
    is_last: bool,
    message: Option<Stored>,
}

enum Stored {
    /// The next of the short bytes, this many.
    Short(usize),
    Long(Wire),
}

/// A message to be written.
pub(crate) enum Message<'a> {
    Short(&'a [u8]),
    Long(Wire),
}

impl Inbox {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether jobs should make no more messages before the driver has room for them.
    pub(crate) fn is_full(&self) -> bool {
        self.is_full.load(Ordering::Acquire)
    }

    fn set_full(&self, state: &State) {
        self.is_full.store(state.posted + state.kept + state.taken > state.most, Ordering::Release);
    }

    /// Adds an event of a job, which now has so many bytes of its answer behind it; `true` if that was its last event.
    pub(crate) fn post(&self, ticket: Ticket, event: JobEvent, kept: &mut Kept, unsent: usize) -> bool {
        let (is_last, message) = match event {
            JobEvent::Event(message) => (false, Some(message)),
            JobEvent::Suspend => (false, None),
            JobEvent::Done(message, _) => (true, Some(message)),
            JobEvent::Cancelled => (true, None),
        };
        let mut state = self.lock();
        state.posted += message.as_ref().map_or(0, Wire::len);
        state.kept = state.kept - mem::replace(&mut kept.0, unsent) + unsent;
        self.set_full(&state);
        let message = message.map(|message| state.batch.keep(message));
        state.batch.posted.push(Posted { ticket, is_last, message });
        // For messages before this one the driver is woken already.
        let driver = if state.batch.posted.len() == 1 { state.driver.clone() } else { None };
        drop(state);
        if let Some(driver) = driver {
            driver.wake();
        }
        is_last
    }

    /// How many messages can be taken.
    pub(crate) fn len(&self) -> usize {
        self.lock().batch.posted.len()
    }

    /// Takes all messages in exchange for an empty batch. Wakes this task when there are more. The driver has `unwritten` bytes of messages
    /// already, and `most` may be held in all. Returns whether jobs that wait for room may go on.
    pub(crate) fn take(&self, cx: &Context<'_>, batch: &mut Batch, unwritten: usize, most: usize) -> bool {
        let mut state = self.lock();
        if !state.driver.as_ref().is_some_and(|driver| driver.will_wake(cx.waker())) {
            state.driver = Some(cx.waker().clone());
        }
        mem::swap(&mut state.batch, batch);
        let was_full = self.is_full();
        (state.taken, state.most) = (unwritten + mem::take(&mut state.posted), most);
        self.set_full(&state);
        was_full && !self.is_full()
    }
}

impl Batch {
    fn keep(&mut self, message: Wire) -> Stored {
        let length = message.len();
        // A short message is copied, so that its memory is freed by the thread that allocated it, and the batch reuses its own.
        if length > Wire::SLICED {
            return Stored::Long(message);
        }
        message.into_parts().for_each(|part| self.short.extend_from_slice(&part));
        Stored::Short(length)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.posted.is_empty()
    }

    /// Calls `each` for every event: the job's ticket, whether it is the job's last, and the message if it has one. The batch is empty
    /// then.
    pub(crate) fn drain(&mut self, mut each: impl FnMut(Ticket, bool, Option<Message<'_>>)) {
        let mut short = &self.short[..];
        for Posted { ticket, is_last, message } in self.posted.drain(..) {
            let message = message.map(|kept| match kept {
                Stored::Short(length) => {
                    let (message, rest) = short.split_at(length);
                    short = rest;
                    Message::Short(message)
                }
                Stored::Long(message) => Message::Long(message),
            });
            each(ticket, is_last, message);
        }
        self.short.clear();
        self.short.shrink_to(KEPT);
    }
}
