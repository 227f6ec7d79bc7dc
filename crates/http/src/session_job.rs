//! The task that runs a job in a session: it writes the job's messages into the stream of the request, whether the stream has a reader
//! or not.
//!
//! A reader that does not keep up delays the task. A client that has been gone for a while is sent no more requests, so that a job
//! which waits for its answer fails instead of waiting.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use grange_core::JobEvent;
use tokio::time::{Sleep, sleep};

use crate::sessions::log::ReaderState;
use crate::sessions::store::SessionGuard;
use crate::timed_job::TimedJob;

/// After this long without a reader, the client is not expected to answer.
const GONE: Duration = Duration::from_secs(5);

/// The task. It owns the job, which is dropped before the session may become idle.
pub(crate) struct SessionJob {
    job: TimedJob,
    session: SessionGuard,
    stream: u64,
    /// Runs while the stream has no reader and the job waits for the client's answer.
    alone: Option<Pin<Box<Sleep>>>,
    is_over: bool,
}

impl SessionJob {
    pub(crate) fn new(job: TimedJob, session: SessionGuard, stream: u64) -> Self {
        Self { job, session, stream, alone: None, is_over: false }
    }

    /// Ready once the client has been gone for so long that no answer is expected.
    fn poll_gone(&mut self, reader_state: ReaderState, cx: &mut Context<'_>) -> Poll<()> {
        if reader_state != ReaderState::Gone || !self.job.is_waiting_for_client() {
            self.alone = None;
            return Poll::Pending;
        }
        let alone = self.alone.get_or_insert_with(|| Box::pin(sleep(GONE)));
        ready!(alone.as_mut().poll(cx));
        self.alone = None;
        Poll::Ready(())
    }
}

impl Future for SessionJob {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let this = self.get_mut();
        loop {
            let session = this.session.session();
            let reader_state = session.reader_state(this.stream, cx.waker());
            if reader_state == ReaderState::Slow && !this.job.is_cancelled() {
                // The timers of the job go on meanwhile.
                while this.job.tick(cx) {}
                return Poll::Pending;
            }
            match this.job.poll(cx) {
                Poll::Ready(JobEvent::Event(wire)) => session.say(this.stream, wire),
                Poll::Ready(JobEvent::Suspend) => session.suspend(this.stream),
                Poll::Ready(JobEvent::Done(wire, status)) => {
                    session.finish(this.stream, wire, status);
                    this.is_over = true;
                    return Poll::Ready(());
                }
                Poll::Ready(JobEvent::Cancelled) => {
                    session.cancel(this.stream);
                    this.is_over = true;
                    return Poll::Ready(());
                }
                Poll::Pending => {
                    ready!(this.poll_gone(reader_state, cx));
                    this.job.handle_disconnect();
                }
            }
        }
    }
}

impl Drop for SessionJob {
    /// If the task is dropped with its runtime, nothing more will be written.
    fn drop(&mut self) {
        if !self.is_over {
            self.session.session().cancel(self.stream);
        }
    }
}
