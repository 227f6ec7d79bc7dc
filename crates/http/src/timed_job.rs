//! A job with its clock, and what happens to it when the client disconnects.
//!
//! The response owns the job: dropping the response drops the job and so cancels it, unless the protocol revision says that a lost
//! connection is no cancellation. Then the job moves to a task of its own, which runs it to its end under the same permit and discards
//! the answer.

use std::pin::Pin;
use std::task::{Context, Poll};

use grange_core::{Job, JobEvent};
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::time::{Instant, Sleep, sleep_until};

use crate::capacity::Permit;
use crate::client_watch::{AnswerWatch, Gone};

/// A job with its permit and the watch of its client.
pub(crate) struct Work {
    pub(crate) job: Job,
    pub(crate) permit: Permit,
    pub(crate) client: AnswerWatch,
}

/// A job that moves to a task of its own when it is dropped, where the revision says so.
pub(crate) struct DetachableJob {
    /// Until it has given its last message.
    running: Option<TimedJob>,
    client: AnswerWatch,
}

/// A job, its clock and its permit.
pub(crate) struct TimedJob {
    job: Job,
    /// Runs until the next timer of the job. Made when the job first waits: most jobs are done before.
    clock: Option<Pin<Box<Sleep>>>,
    /// Returned when the job is dropped.
    _permit: Permit,
}

impl DetachableJob {
    pub(crate) fn new(Work { job, permit, client }: Work) -> Self {
        Self { running: Some(TimedJob::new(job, permit)), client }
    }

    /// The next message of the job. Not to be polled when it [is over](Self::is_over).
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<JobEvent> {
        let Some(running) = &mut self.running else { return Poll::Pending };
        let polled = running.poll(cx);
        match polled {
            Poll::Ready(JobEvent::Done(..) | JobEvent::Cancelled) => {
                self.running = None;
                self.client.end();
            }
            Poll::Ready(_) => {}
            Poll::Pending => self.client.wait(running.client_gone()),
        }
        polled
    }

    /// The server shuts down: a held stream gives its last messages.
    pub(crate) fn handle_shutdown(&mut self) {
        if let Some(running) = &mut self.running {
            running.job.handle_shutdown();
        }
    }

    /// Whether the job has given its last message.
    pub(crate) fn is_over(&self) -> bool {
        self.running.is_none()
    }
}

/// Wakes another worker thread, if one sleeps, before author code runs on this one: if that code blocks, the other worker watches the
/// sockets and timers that this one watched until now.
fn hand_over() {
    if let Ok(runtime) = Handle::try_current()
        && runtime.runtime_flavor() != RuntimeFlavor::CurrentThread
    {
        // The second task moves the first to the queue that other workers take from, and one of them is woken for it.
        runtime.spawn(std::future::ready(()));
        runtime.spawn(std::future::ready(()));
    }
}

impl Drop for DetachableJob {
    fn drop(&mut self) {
        let Some(mut running) = self.running.take() else { return };
        if running.client_gone() == Gone::AtEndOfInput {
            return;
        }
        // Outside a runtime the job cannot go on, and is cancelled after all.
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(std::future::poll_fn(move |cx| {
                loop {
                    match running.poll(cx) {
                        Poll::Ready(JobEvent::Done(..) | JobEvent::Cancelled) => return Poll::Ready(()),
                        Poll::Ready(JobEvent::Event(_) | JobEvent::Suspend) => {}
                        Poll::Pending => return Poll::Pending,
                    }
                }
            }));
        }
    }
}

impl TimedJob {
    pub(crate) fn new(job: Job, permit: Permit) -> Self {
        hand_over();
        Self { job, clock: None, _permit: permit }
    }

    /// The next message of the job.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<JobEvent> {
        loop {
            if let Poll::Ready(event) = self.job.poll(cx) {
                return Poll::Ready(event);
            }
            if !self.tick(cx) {
                return Poll::Pending;
            }
        }
    }

    /// Gives the job the time if a timer of it is due; else `false`, and the task is woken when one is.
    pub(crate) fn tick(&mut self, cx: &mut Context<'_>) -> bool {
        let is_due = self.is_due(cx);
        if is_due {
            self.job.handle_timeout(Instant::now().into_std());
        }
        is_due
    }

    /// When the client of the job is gone. A job that a disconnect cancels must not run for a client that closed its connection; for
    /// any other, a client that sends no more may still wait for the answer.
    fn client_gone(&self) -> Gone {
        if self.job.is_cancelled_by_disconnect() { Gone::AtEndOfInput } else { Gone::AtReset }
    }

    /// Whether the request was cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.job.is_cancelled()
    }

    /// Whether the job waits for the client's answer to a request to it.
    pub(crate) fn is_waiting_for_client(&self) -> bool {
        self.job.is_waiting_for_client()
    }

    /// The client will not answer.
    pub(crate) fn handle_disconnect(&mut self) {
        self.job.handle_disconnect();
    }

    /// Whether a timer of the job is due.
    fn is_due(&mut self, cx: &mut Context<'_>) -> bool {
        let Some(due) = self.job.poll_timeout(Instant::now().into_std()).map(Instant::from_std) else { return false };
        let clock = self.clock.get_or_insert_with(|| Box::pin(sleep_until(due)));
        if clock.deadline() != due {
            clock.as_mut().reset(due);
        }
        clock.as_mut().poll(cx).is_ready()
    }
}
