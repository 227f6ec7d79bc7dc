//! The messages to one client that belong to none of its requests, until the driver can send them.

use std::sync::{Mutex, PoisonError};

/// The queue, which is bounded.
#[derive(Default)]
pub(crate) struct Messages(Mutex<Vec<Message>>);

/// A message without a request.
pub(crate) enum Message {
    /// A request to the client need not be answered, and its own stream could not carry the notice.
    Cancelled { id: u64, reason: &'static str },
}

impl Messages {
    /// Queues a message. When too many wait, since no driver takes them, it is dropped: the client then answers in vain.
    pub(crate) fn push(&self, message: Message) {
        /// At most so many wait.
        const WAITING: usize = 64;
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() < WAITING {
            waiting.push(message);
        }
    }

    pub(crate) fn take(&self) -> Vec<Message> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
