//! Where the jobs of one driver leave what they say, and wake it.

use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Waker};

use grange_core::{JobEvent, Ticket, Wire};

/// Up to this many bytes a message is copied: its memory goes back where it came from, on the thread of the job, and the batch
/// keeps its room. Beyond, copying costs more.
const SHORT: usize = 8 * 1024;

/// Room that a batch keeps.
const KEPT: usize = 512 * 1024;

/// What was said and not taken yet.
#[derive(Default)]
pub(crate) struct Inbox(Mutex<State>);

#[derive(Default)]
struct State {
    batch: Batch,
    driver: Option<Waker>,
}

/// What jobs said, in order.
#[derive(Default)]
pub(crate) struct Batch {
    spoken: Vec<Spoken>,
    /// The short messages, one after the other.
    short: Vec<u8>,
}

struct Spoken {
    ticket: Ticket,
    is_last: bool,
    message: Option<Kept>,
}

enum Kept {
    /// So many of the short bytes.
    Short(usize),
    Long(Wire),
}

/// A message on its way out.
pub(crate) enum Message<'a> {
    Short(&'a [u8]),
    Long(Wire),
}

impl Inbox {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds what a job said; `true` if that was its last.
    pub(crate) fn post(&self, ticket: Ticket, said: JobEvent) -> bool {
        let (is_last, message) = match said {
            JobEvent::Event(message) => (false, Some(message)),
            JobEvent::Suspend => (false, None),
            JobEvent::Done(message, _) => (true, Some(message)),
            JobEvent::Cancelled => (true, None),
        };
        let mut state = self.lock();
        let message = message.map(|message| state.batch.keep(message));
        state.batch.spoken.push(Spoken { ticket, is_last, message });
        // For what was there before it is woken already.
        let driver = if state.batch.spoken.len() == 1 { state.driver.clone() } else { None };
        drop(state);
        if let Some(driver) = driver {
            driver.wake();
        }
        is_last
    }

    /// How many messages there are to take.
    pub(crate) fn len(&self) -> usize {
        self.lock().batch.spoken.len()
    }

    /// Takes all of it in exchange for an emptied batch. Wakes this task for what comes from here on.
    pub(crate) fn take(&self, cx: &Context<'_>, batch: &mut Batch) {
        let mut state = self.lock();
        if !state.driver.as_ref().is_some_and(|driver| driver.will_wake(cx.waker())) {
            state.driver = Some(cx.waker().clone());
        }
        mem::swap(&mut state.batch, batch);
    }
}

impl Batch {
    fn keep(&mut self, message: Wire) -> Kept {
        let length = message.len();
        if length > SHORT {
            return Kept::Long(message);
        }
        message.into_parts().for_each(|part| self.short.extend_from_slice(&part));
        Kept::Short(length)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.spoken.is_empty()
    }

    /// Gives all of it: whose it is, whether it is that job's last, and the message if there is one. The batch is empty then.
    pub(crate) fn drain(&mut self, mut each: impl FnMut(Ticket, bool, Option<Message<'_>>)) {
        let mut short = &self.short[..];
        for Spoken { ticket, is_last, message } in self.spoken.drain(..) {
            let message = message.map(|kept| match kept {
                Kept::Short(length) => {
                    let (message, rest) = short.split_at(length);
                    short = rest;
                    Message::Short(message)
                }
                Kept::Long(message) => Message::Long(message),
            });
            each(ticket, is_last, message);
        }
        self.short.clear();
        self.short.shrink_to(KEPT);
    }
}
