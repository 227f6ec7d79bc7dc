//! The messages to one client that belong to none of its requests. They wait until the driver can send them.

use std::sync::Mutex;

use crate::lock::lock;

/// The queue, which is bounded.
#[derive(Default)]
pub(crate) struct Messages(Mutex<Vec<Message>>);

/// A message without a request.
pub(crate) enum Message {
    /// The request to the client with this id need not be answered. Its own stream could not carry this message.
    Cancelled { id: u64, reason: &'static str },
}

impl Messages {
    /// Queues a message. If too many wait, because no driver takes them, the message is dropped; the client then sends
    /// an answer that is ignored.
    pub(crate) fn push(&self, message: Message) {
        /// Most messages that may wait.
        const WAITING: usize = 64;
        let mut waiting = lock(&self.0);
        if waiting.len() < WAITING {
            waiting.push(message);
        }
    }

    pub(crate) fn take(&self) -> Vec<Message> {
        std::mem::take(&mut lock(&self.0))
    }
}
