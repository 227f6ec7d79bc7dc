//! The jobs of one pipe, all polled by one task: each has a waker of its own, so that a wake-up polls the job it is for
//! and no other.
//!
//! No spawning: a job stops in the moment it is dropped. The set also knows when each job is to be told the time; the driver has
//! the clock.

use std::collections::HashMap;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

use grange_core::{Job, Said, Ticket};
use tokio::time::Instant;

/// The set.
#[derive(Default)]
pub(crate) struct Jobs {
    running: HashMap<Ticket, Running>,
    woken: Arc<Woken>,
    /// No job is to be told the time before this.
    pub(crate) next_due: Option<Instant>,
}

struct Running {
    job: Job,
    alarm: Arc<Alarm>,
    waker: Waker,
    /// When the job is to be told the time.
    due: Option<Instant>,
}

/// Which jobs are to be polled, and the task that polls them.
#[derive(Default)]
struct Woken(Mutex<(Vec<Ticket>, Option<Waker>)>);

/// Wakes one job.
struct Alarm {
    ticket: Ticket,
    rung: AtomicBool,
    woken: Arc<Woken>,
}

impl Jobs {
    /// Adds a job, to be polled with the next round.
    pub(crate) fn insert(&mut self, ticket: Ticket, job: Job) {
        let alarm = Arc::new(Alarm { ticket, rung: AtomicBool::new(true), woken: self.woken.clone() });
        let waker = Waker::from(alarm.clone());
        self.running.insert(ticket, Running { job, alarm, waker, due: None });
        self.woken.lock().0.push(ticket);
    }

    /// Drops a job, which cancels it.
    pub(crate) fn remove(&mut self, ticket: Ticket) {
        self.running.remove(&ticket);
    }

    /// Has a job polled again that said something but is not done; `false` if it is.
    pub(crate) fn resume(&self, ticket: Ticket) -> bool {
        let running = self.running.get(&ticket);
        running.inspect(|running| running.waker.wake_by_ref()).is_some()
    }

    pub(crate) fn len(&self) -> usize {
        self.running.len()
    }

    /// The jobs to poll now. Wakes this task for those that are woken from here on.
    pub(crate) fn poll_woken(&mut self, cx: &mut Context<'_>) -> Vec<Ticket> {
        if self.running.is_empty() {
            return Vec::new();
        }
        let mut woken = self.woken.lock();
        if !woken.1.as_ref().is_some_and(|waker| waker.will_wake(cx.waker())) {
            woken.1 = Some(cx.waker().clone());
        }
        mem::take(&mut woken.0)
    }

    /// Polls one job. A job that is done leaves the set; one that says something before is to be [resumed](Self::resume).
    pub(crate) fn poll(&mut self, ticket: Ticket) -> Poll<Said> {
        let Some(running) = self.running.get_mut(&ticket) else { return Poll::Pending };
        running.alarm.rung.store(false, Ordering::Release);
        let said = running.job.poll(&mut Context::from_waker(&running.waker));
        match &said {
            Poll::Ready(Said::Done(..) | Said::Cancelled) => self.remove(ticket),
            Poll::Ready(Said::Event(_) | Said::Suspend) => {}
            Poll::Pending => self.set_clock(ticket),
        }
        said
    }

    /// Tells the time to the jobs that are to be told.
    pub(crate) fn expire(&mut self, now: Instant) {
        self.next_due = None;
        for running in self.running.values_mut() {
            match running.due {
                Some(due) if due <= now => {
                    running.due = None;
                    running.job.expire(now.into_std());
                    running.waker.wake_by_ref();
                }
                due => self.next_due = earlier(self.next_due, due),
            }
        }
    }

    /// Has held streams end.
    pub(crate) fn end(&mut self) {
        self.running.values_mut().for_each(|running| running.job.end());
    }

    fn set_clock(&mut self, ticket: Ticket) {
        let Some(running) = self.running.get_mut(&ticket) else { return };
        running.due = running.job.due(Instant::now().into_std()).map(Instant::from_std);
        self.next_due = earlier(self.next_due, running.due);
    }
}

fn earlier(one: Option<Instant>, other: Option<Instant>) -> Option<Instant> {
    one.into_iter().chain(other).min()
}

impl Woken {
    fn lock(&self) -> MutexGuard<'_, (Vec<Ticket>, Option<Waker>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Wake for Alarm {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if self.rung.swap(true, Ordering::AcqRel) {
            return;
        }
        let task = {
            let mut woken = self.woken.lock();
            woken.0.push(self.ticket);
            woken.1.clone()
        };
        if let Some(task) = task {
            task.wake();
        }
    }
}
