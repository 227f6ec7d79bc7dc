//! A job and its clock, and what becomes of it when the client goes away.
//!
//! The response owns the work: dropping the response drops it, and that cancels the job, unless the protocol revision
//! says that a lost connection is no cancellation. Then the work moves to a task of its own, which runs it to its end,
//! within the same limit, and discards the answer.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use grange_core::{Job, Said};
use tokio::runtime::Handle;
use tokio::time::{Instant, Sleep, sleep_until};

use crate::capacity::Place;
use crate::service::Shared;

/// A job that is being polled.
pub(crate) struct Work {
    shared: Arc<Shared>,
    /// Until it has said its last message.
    running: Option<Running>,
}

/// A job, its clock and its place.
pub(crate) struct Running {
    job: Job,
    /// Runs to when the job is to be told the time. Made when it first waits: most are done before.
    clock: Option<Pin<Box<Sleep>>>,
    /// Given back when the job is gone.
    _place: Place,
}

impl Work {
    pub(crate) fn new(job: Job, place: Place) -> Self {
        let shared = place.shared().clone();
        Self { shared, running: Some(Running::new(job, place)) }
    }

    /// What the job says next. Not to be polled when it [is over](Self::is_over).
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Said> {
        let Some(running) = &mut self.running else { return Poll::Pending };
        let said = running.poll(cx);
        if let Poll::Ready(Said::Done(..) | Said::Cancelled) = said {
            self.running = None;
        }
        said
    }

    /// The server shuts down: a held stream says its last messages.
    pub(crate) fn end(&mut self) {
        if let Some(running) = &mut self.running {
            running.job.end();
        }
    }

    /// Whether the job has said its last message.
    pub(crate) fn is_over(&self) -> bool {
        self.running.is_none()
    }

    pub(crate) fn shared(&self) -> &Shared {
        &self.shared
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        let Some(mut running) = self.running.take() else { return };
        if running.job.is_cancelled_by_disconnect() {
            return;
        }
        // Outside a runtime nothing can go on, and the job is cancelled after all.
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(std::future::poll_fn(move |cx| {
                loop {
                    match running.poll(cx) {
                        Poll::Ready(Said::Done(..) | Said::Cancelled) => return Poll::Ready(()),
                        Poll::Ready(Said::Event(_) | Said::Suspend) => {}
                        Poll::Pending => return Poll::Pending,
                    }
                }
            }));
        }
    }
}

impl Running {
    pub(crate) fn new(job: Job, place: Place) -> Self {
        Self { job, clock: None, _place: place }
    }

    /// What the job says next.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Said> {
        loop {
            if let Poll::Ready(said) = self.job.poll(cx) {
                return Poll::Ready(said);
            }
            if !self.tick(cx) {
                return Poll::Pending;
            }
        }
    }

    /// Tells the job the time if it wants to be told now; `false` if not, and the task is woken then.
    pub(crate) fn tick(&mut self, cx: &mut Context<'_>) -> bool {
        let is_due = self.is_due(cx);
        if is_due {
            self.job.expire(Instant::now().into_std());
        }
        is_due
    }

    /// Whether nobody waits for the job any more.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.job.is_cancelled()
    }

    /// Whether the job waits for the client's answer to a request of ours.
    pub(crate) fn is_asking(&self) -> bool {
        self.job.is_asking()
    }

    /// No answer will come.
    pub(crate) fn disconnect(&mut self) {
        self.job.disconnect();
    }

    /// Whether the job is to be told the time now.
    fn is_due(&mut self, cx: &mut Context<'_>) -> bool {
        let Some(due) = self.job.due(Instant::now().into_std()).map(Instant::from_std) else { return false };
        let clock = self.clock.get_or_insert_with(|| Box::pin(sleep_until(due)));
        if clock.deadline() != due {
            clock.as_mut().reset(due);
        }
        clock.as_mut().poll(cx).is_ready()
    }
}
