//! The notifications of changes to the client of a session over HTTP. The driver sends them on the stream that the client opens for what
//! answers no request (2025-11-25 basic/transports, "Listening for Messages from the Server").

use std::task::Waker;
use std::time::Instant;

use crate::changes::{Listener, Notice};
use crate::era;
use crate::rpc::Wire;
use crate::session::Session;

impl Session {
    /// The next notification of a change. `None`: there is none at this moment; the task of this waker is woken when there may be. What
    /// has changed waits here, each resource once, until the driver can send it.
    pub fn poll_notification(&self, waker: &Waker) -> Option<Wire> {
        self.listener()?.poll(waker).as_ref().map(wire)
    }

    /// The rest of the notifications, without a pause, at the end of the service.
    pub fn take_last_notification(&self) -> Option<Wire> {
        self.listener()?.take_last().as_ref().map(wire)
    }

    /// When the driver must call [`handle_timeout`](Self::handle_timeout): a pause between notifications is over.
    pub fn poll_timeout(&self, now: Instant) -> Option<Instant> {
        self.listener()?.poll_timeout(now)
    }

    /// The time has come. Poll for a notification after it.
    pub fn handle_timeout(&self, now: Instant) {
        if let Some(listener) = self.listener() {
            listener.handle_timeout(now);
        }
    }

    /// Whether the client gets no more notifications; see [`Changes::revoke`](crate::Changes::revoke).
    pub fn is_revoked(&self) -> bool {
        self.listener().is_some_and(|listener| Listener::is_revoked(listener))
    }
}

fn wire(notice: &Notice) -> Wire {
    Wire::one(era::change(notice, None))
}
