//! The task that runs a request in a session: it writes what the job says into the request's stream, whether somebody
//! reads it or not.
//!
//! A reader that does not keep up holds it up. A client that has been gone for a while gets no requests of ours any more,
//! so that work which waits for an answer goes on without.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use grange_core::Said;
use tokio::time::{Sleep, sleep};

use crate::sessions::log::Audience;
use crate::sessions::store::Visit;
use crate::timed_job::Running;

/// After this long a client is taken for gone that has an answer to give.
const GONE: Duration = Duration::from_secs(5);

/// The task. It has the job, which is dropped before the session may become idle.
pub(crate) struct Writer {
    running: Running,
    visit: Visit,
    stream: u64,
    /// Runs while nobody reads and the job waits for the client's answer.
    alone: Option<Pin<Box<Sleep>>>,
    is_over: bool,
}

impl Writer {
    pub(crate) fn new(running: Running, visit: Visit, stream: u64) -> Self {
        Self { running, visit, stream, alone: None, is_over: false }
    }

    /// Whether the client has been gone for so long that its answer will not come.
    fn poll_gone(&mut self, audience: Audience, cx: &mut Context<'_>) -> Poll<()> {
        if audience != Audience::Gone || !self.running.is_asking() {
            self.alone = None;
            return Poll::Pending;
        }
        let alone = self.alone.get_or_insert_with(|| Box::pin(sleep(GONE)));
        ready!(alone.as_mut().poll(cx));
        self.alone = None;
        Poll::Ready(())
    }
}

impl Future for Writer {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let this = self.get_mut();
        loop {
            let session = this.visit.session();
            let audience = session.audience(this.stream, cx.waker());
            if audience == Audience::Slow && !this.running.is_cancelled() {
                // Its time runs all the same.
                while this.running.tick(cx) {}
                return Poll::Pending;
            }
            match this.running.poll(cx) {
                Poll::Ready(Said::Event(wire)) => session.say(this.stream, wire),
                Poll::Ready(Said::Suspend) => session.suspend(this.stream),
                Poll::Ready(Said::Done(wire, refusal)) => {
                    session.finish(this.stream, wire, refusal);
                    this.is_over = true;
                    return Poll::Ready(());
                }
                Poll::Ready(Said::Cancelled) => {
                    session.cancel(this.stream);
                    this.is_over = true;
                    return Poll::Ready(());
                }
                Poll::Pending => {
                    ready!(this.poll_gone(audience, cx));
                    this.running.disconnect();
                }
            }
        }
    }
}

impl Drop for Writer {
    /// Where the task is given up, with its runtime, nothing more will be written.
    fn drop(&mut self) {
        if !self.is_over {
            self.visit.session().cancel(self.stream);
        }
    }
}
