//! The body of a response that reads one stream of a session.

use std::collections::VecDeque;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use tokio_util::sync::WaitForCancellationFutureOwned;

use crate::capacity::Permit;
use crate::client_watch::{AnswerWatch, Gone};
use crate::keep_alive::KeepAlive;
use crate::sessions::event_id::EventId;
use crate::sessions::log::Read;
use crate::sessions::session::{Reading, Session};
use crate::sessions::store::SessionGuard;
use crate::sse;
use crate::standalone::Standalone;

/// The body. Dropped before its end, it leaves the stream to a client that resumes it.
pub(crate) struct SessionStream {
    /// Until it is over.
    attached: Option<Attached>,
    frames: VecDeque<Bytes>,
    keep_alive: KeepAlive,
    /// For a stream that answers no request.
    standalone: Option<Standalone>,
    /// For a stream that is held after its request: its permit.
    permit: Option<Permit>,
    client: (AnswerWatch, Gone),
}

impl SessionStream {
    pub(crate) fn new(session: SessionGuard, reading: Reading, keep_alive: Duration) -> Self {
        Self {
            attached: Some(Attached { session, reading }),
            frames: VecDeque::new(),
            keep_alive: KeepAlive::new(keep_alive),
            standalone: None,
            permit: None,
            client: (AnswerWatch::default(), Gone::AtReset),
        }
    }

    /// Begins with an event that has only an id, in revisions that have such events.
    pub(crate) fn primed(mut self, after: EventId) -> Self {
        if self.attached.as_ref().is_some_and(|attached| attached.session().protocol().has_id_only_first_event()) {
            self.frames.push_back(sse::priming(after));
        }
        self
    }

    pub(crate) fn with_permit(self, permit: Permit) -> Self {
        Self { permit: Some(permit), ..self }
    }

    /// While it has nothing to send, the socket watches its client.
    pub(crate) fn watching(self, client: AnswerWatch, gone: Gone) -> Self {
        Self { client: (client, gone), ..self }
    }

    /// The stream answers no request, and ends with the service.
    pub(crate) fn standalone(self, ended: WaitForCancellationFutureOwned) -> Self {
        Self { standalone: Some(Standalone::new(ended)), ..self }
    }

    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        loop {
            if let Some(frame) = self.frames.pop_front() {
                self.keep_alive.note_frame();
                return Poll::Ready(Some(frame));
            }
            let Some(attached) = &self.attached else { return Poll::Ready(None) };
            let mut is_ending = false;
            if let Some(standalone) = &mut self.standalone {
                attached.session().tell();
                is_ending = standalone.poll_ended(attached.session(), cx);
            }
            match attached.session().read(attached.reading, cx.waker()) {
                Read::Event(frames) => self.frames.extend(frames),
                Read::Over => self.leave(),
                Read::Suspended => {
                    self.frames.push_back(sse::RETRY);
                    self.leave();
                }
                Read::Pending if is_ending || attached.session().protocol().is_revoked() => self.leave(),
                Read::Pending => {
                    if let Some(standalone) = &mut self.standalone
                        && standalone.poll_notifications(attached.session(), cx).is_ready()
                    {
                        continue;
                    }
                    self.client.0.wait(self.client.1);
                    self.frames.push_back(ready!(self.keep_alive.poll(cx)));
                }
            }
        }
    }

    /// It is over once the frames that are left were sent.
    fn leave(&mut self) {
        self.attached = None;
        self.permit = None;
        self.client.0.end();
    }
}

/// A reader of a stream, from when it begins to read until it is dropped.
struct Attached {
    session: SessionGuard,
    reading: Reading,
}

impl Attached {
    fn session(&self) -> &Arc<Session> {
        self.session.session()
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        self.session().detach(self.reading);
    }
}
