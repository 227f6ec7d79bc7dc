//! One job as a task of the runtime: author code that blocks delays its own task, and neither the connection nor another job.
//!
//! **Only the task polls the job**, and keeps its clock. The messages of the job go into the inbox of the driver; the driver sets in the
//! job's `Control` what the job is to do. Neither waits for the other.

use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker, ready};

use grange_core::{Job, JobEvent, Ticket};
use tokio::time::{Instant, Sleep, sleep_until};

use crate::inbox::{Inbox, Kept};

/// The task. It is over when the job has sent its last message, or was stopped.
pub(crate) struct Work {
    ticket: Ticket,
    /// Until it was stopped.
    job: Option<Job>,
    control: Arc<Control>,
    inbox: Arc<Inbox>,
    kept: Kept,
    clock: Option<Pin<Box<Sleep>>>,
}

impl Work {
    pub(crate) fn new(ticket: Ticket, job: Job, control: Arc<Control>, inbox: Arc<Inbox>) -> Self {
        Self { ticket, job: Some(job), control, inbox, kept: Kept::default(), clock: None }
    }

    /// Gives the job the time when a timer of it is due; pending before.
    fn poll_clock(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Some(job) = &mut self.job else { return Poll::Pending };
        let Some(due) = job.poll_timeout(Instant::now().into_std()).map(Instant::from_std) else {
            return Poll::Pending;
        };
        let clock = self.clock.get_or_insert_with(|| Box::pin(sleep_until(due)));
        if clock.deadline() != due {
            clock.as_mut().reset(due);
        }
        ready!(clock.as_mut().poll(cx));
        job.handle_timeout(due.into_std());
        Poll::Ready(())
    }

    /// Drops the job, and then wakes the driver: the drop may leave messages for the client in the connection, such as that a request
    /// to it is withdrawn.
    fn stop(&mut self) {
        drop(self.job.take());
        self.inbox.post(self.ticket, JobEvent::Cancelled, &mut self.kept, 0);
    }
}

impl Future for Work {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let work = self.get_mut();
        loop {
            match work.control.poll(cx) {
                Wanted::Work => {}
                Wanted::Stop => {
                    work.stop();
                    return Poll::Ready(());
                }
                Wanted::End => {
                    work.job.iter_mut().for_each(Job::handle_shutdown);
                    continue;
                }
                // Its timers go on meanwhile.
                Wanted::Nothing => {
                    ready!(work.poll_clock(cx));
                    continue;
                }
            }
            let Some(job) = &mut work.job else { return Poll::Ready(()) };
            // A job with its answer ready makes nothing more.
            if work.inbox.is_full() && job.unsent_bytes() == 0 {
                ready!(work.poll_clock(cx));
                continue;
            }
            match job.poll(cx) {
                Poll::Ready(event) => {
                    work.control.hold();
                    // The poll ends here, so that a driver on the same worker has a turn before the job has another.
                    let is_last = work.inbox.post(work.ticket, event, &mut work.kept, job.unsent_bytes());
                    return if is_last { Poll::Ready(()) } else { Poll::Pending };
                }
                Poll::Pending => ready!(work.poll_clock(cx)),
            }
        }
    }
}

/// What the driver wants one job's task to do.
#[derive(Default)]
pub(crate) struct Control(Mutex<State>);

#[derive(Default)]
struct State {
    is_stopped: bool,
    is_ending: bool,
    /// The job sent a message, and must not be polled before the driver has room for another.
    is_held: bool,
    task: Option<Waker>,
}

enum Wanted {
    Work,
    /// A held stream is to end.
    End,
    Nothing,
    Stop,
}

impl Control {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What to do now. Wakes the task when that changes.
    fn poll(&self, cx: &Context<'_>) -> Wanted {
        let mut state = self.lock();
        if state.is_stopped {
            return Wanted::Stop;
        }
        if !state.task.as_ref().is_some_and(|task| task.will_wake(cx.waker())) {
            state.task = Some(cx.waker().clone());
        }
        match (state.is_held, mem::take(&mut state.is_ending)) {
            (_, true) => Wanted::End,
            (true, false) => Wanted::Nothing,
            (false, false) => Wanted::Work,
        }
    }

    fn hold(&self) {
        self.lock().is_held = true;
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.lock();
        change(&mut state);
        let task = state.task.clone();
        drop(state);
        if let Some(task) = task {
            task.wake();
        }
    }

    /// Wakes the task, which looks again whether there is room for messages.
    pub(crate) fn wake(&self) {
        self.change(|_| {});
    }

    /// Polls the job again after a message.
    pub(crate) fn resume(&self) {
        self.change(|state| state.is_held = false);
    }

    /// Ends a held stream.
    pub(crate) fn end(&self) {
        self.change(|state| state.is_ending = true);
    }

    /// Drops the job: at once, or when the poll that runs is over.
    pub(crate) fn stop(&self) {
        self.change(|state| state.is_stopped = true);
    }
}
