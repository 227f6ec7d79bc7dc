//! The stream of a session that answers no request: notifications of changes with their pauses, until the service ends.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tokio::time::{Instant, Sleep, sleep_until};
use tokio_util::sync::WaitForCancellationFutureOwned;

use crate::sessions::session::Session;

/// What the reader of such a stream does beside reading.
pub(crate) struct Standalone {
    /// Until the service ends its streams.
    ended: Option<Pin<Box<WaitForCancellationFutureOwned>>>,
    /// Until the pause between notifications is over.
    pause: Option<Pin<Box<Sleep>>>,
}

impl Standalone {
    pub(crate) fn new(ended: WaitForCancellationFutureOwned) -> Self {
        Self { ended: Some(Box::pin(ended)), pause: None }
    }

    /// Whether the service has ended. At its end what has changed is written to the stream.
    pub(crate) fn poll_ended(&mut self, session: &Session, cx: &mut Context<'_>) -> bool {
        if let Some(ended) = &mut self.ended
            && ended.as_mut().poll(cx).is_ready()
        {
            self.ended = None;
            session.notify_last();
        }
        self.ended.is_none()
    }

    /// Writes what the client is to be told. Ready if something was written, so that it can be read. Call it only when the stream has
    /// nothing to read: another reader may have taken over.
    pub(crate) fn poll_notifications(&mut self, session: &Arc<Session>, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            if session.notify(cx.waker()) {
                return Poll::Ready(());
            }
            let Some(due) = session.protocol().poll_timeout(Instant::now().into_std()).map(Instant::from_std) else {
                return Poll::Pending;
            };
            let pause = self.pause.get_or_insert_with(|| Box::pin(sleep_until(due)));
            if pause.deadline() != due {
                pause.as_mut().reset(due);
            }
            if pause.as_mut().poll(cx).is_pending() {
                return Poll::Pending;
            }
            session.protocol().handle_timeout(due.into_std());
        }
    }
}
