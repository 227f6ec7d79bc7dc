//! One job as a task of the runtime: author code that blocks holds up its own task, and neither the session nor another job.
//!
//! **Only the task polls the job**, and keeps its clock. What the job says goes into the inbox of the driver; what the driver
//! wants of the job it leaves in the job's `Control`. Neither waits for the other.

use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker, ready};

use grange_core::{Job, JobEvent, Ticket};
use tokio::time::{Instant, Sleep, sleep_until};

use crate::inbox::Inbox;

/// The task. It is over when the job has said its last, or was stopped.
pub(crate) struct Work {
    ticket: Ticket,
    /// Until it was stopped.
    job: Option<Job>,
    control: Arc<Control>,
    inbox: Arc<Inbox>,
    clock: Option<Pin<Box<Sleep>>>,
}

impl Work {
    pub(crate) fn new(ticket: Ticket, job: Job, control: Arc<Control>, inbox: Arc<Inbox>) -> Self {
        Self { ticket, job: Some(job), control, inbox, clock: None }
    }

    /// Tells the job the time when it is due; pending before.
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

    /// Drops the job, and wakes the driver after: what the client is to be told of it is known only now, such as that a request to
    /// the client is withdrawn.
    fn stop(&mut self) {
        drop(self.job.take());
        self.inbox.post(self.ticket, JobEvent::Cancelled);
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
                // Its time runs on meanwhile.
                Wanted::Nothing => {
                    ready!(work.poll_clock(cx));
                    continue;
                }
            }
            let Some(job) = &mut work.job else { return Poll::Ready(()) };
            match job.poll(cx) {
                Poll::Ready(said) => {
                    work.control.hold();
                    // The last thing of this poll: a driver that shares the worker has its turn before the job has another.
                    let is_last = work.inbox.post(work.ticket, said);
                    return if is_last { Poll::Ready(()) } else { Poll::Pending };
                }
                Poll::Pending => ready!(work.poll_clock(cx)),
            }
        }
    }
}

/// What the driver wants of one job's task.
#[derive(Default)]
pub(crate) struct Control(Mutex<State>);

#[derive(Default)]
struct State {
    is_stopped: bool,
    is_ending: bool,
    /// The job said something and must not go on before the driver has room for more.
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

    /// Has the job polled again that said something but is not done.
    pub(crate) fn resume(&self) {
        self.change(|state| state.is_held = false);
    }

    /// Has a held stream end.
    pub(crate) fn end(&self) {
        self.change(|state| state.is_ending = true);
    }

    /// Has the job dropped: at once, or when the poll that is under way is over.
    pub(crate) fn stop(&self) {
        self.change(|state| state.is_stopped = true);
    }
}
