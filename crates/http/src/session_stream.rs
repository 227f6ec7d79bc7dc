//! A response body that reads along in one stream of a session.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use tokio_util::sync::WaitForCancellationFutureOwned;

use crate::capacity::Place;
use crate::sessions::event_id::EventId;
use crate::sessions::log::Read;
use crate::sessions::session::{Reading, Session};
use crate::sessions::store::Visit;
use crate::sse::{self, Comments};

/// The body. Dropped before its end, it leaves the stream to whoever comes back for it.
pub(crate) struct Cursor {
    /// Until it is over.
    attached: Option<Attached>,
    frames: VecDeque<Bytes>,
    comments: Comments,
    /// For a stream that answers no request: until the service ends its streams.
    ended: Option<Pin<Box<WaitForCancellationFutureOwned>>>,
    /// Its place among the streams, where the request that it belongs to has none.
    place: Option<Place>,
}

impl Cursor {
    pub(crate) fn new(visit: Visit, reading: Reading, keep_alive: Duration) -> Self {
        let attached = Some(Attached { visit, reading });
        Self { attached, frames: VecDeque::new(), comments: Comments::new(keep_alive), ended: None, place: None }
    }

    /// Begins with an event that has only an id, where the revision knows that.
    pub(crate) fn primed(mut self, after: EventId) -> Self {
        if self.attached.as_ref().is_some_and(|attached| attached.session().conversation().has_primed_streams()) {
            self.frames.push_back(sse::priming(after));
        }
        self
    }

    pub(crate) fn with_place(self, place: Place) -> Self {
        Self { place: Some(place), ..self }
    }

    /// It answers no request.
    pub(crate) fn standalone(self, ended: WaitForCancellationFutureOwned) -> Self {
        Self { ended: Some(Box::pin(ended)), ..self }
    }

    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        loop {
            if let Some(frame) = self.frames.pop_front() {
                self.comments.note_frame();
                return Poll::Ready(Some(frame));
            }
            let Some(attached) = &self.attached else { return Poll::Ready(None) };
            if let Some(ended) = &mut self.ended {
                attached.session().tell();
                if ended.as_mut().poll(cx).is_ready() {
                    self.leave();
                    continue;
                }
            }
            match attached.session().read(attached.reading, cx.waker()) {
                Read::Event(frames) => self.frames.extend(frames),
                Read::Over => self.leave(),
                Read::Suspended => {
                    self.frames.push_back(sse::RETRY);
                    self.leave();
                }
                Read::Pending => self.frames.push_back(ready!(self.comments.poll(cx))),
            }
        }
    }

    /// It is over, as soon as what is here was sent.
    fn leave(&mut self) {
        self.attached = None;
        self.place = None;
    }
}

/// A reader of a stream, from when it begins to read until it is dropped.
struct Attached {
    visit: Visit,
    reading: Reading,
}

impl Attached {
    fn session(&self) -> &Arc<Session> {
        self.visit.session()
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        self.session().detach(self.reading);
    }
}
