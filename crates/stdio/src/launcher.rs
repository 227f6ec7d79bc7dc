//! Starts the tasks of new jobs, many at once, from a task of the runtime.
//!
//! A thread outside the runtime pays a system call or a contended queue for each task that it starts. Here it pays once for all jobs
//! of a round.

use std::mem;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use tokio::runtime::Handle;

use crate::work::Work;

/// The driver's side. Dropped, it ends the launching task; jobs that were started go on.
pub(crate) struct Launcher {
    queue: Arc<Queue>,
    /// The jobs that the next [`launch`](Self::launch) starts.
    new: Vec<Work>,
}

#[derive(Default)]
struct Queue(Mutex<State>);

#[derive(Default)]
struct State {
    works: Vec<Work>,
    is_closed: bool,
    task: Option<Waker>,
}

impl Launcher {
    pub(crate) fn new(runtime: &Handle) -> Self {
        let queue = Arc::<Queue>::default();
        runtime.spawn(Launching { queue: queue.clone(), works: Vec::new() });
        Self { queue, new: Vec::new() }
    }

    pub(crate) fn push(&mut self, work: Work) {
        self.new.push(work);
    }

    /// Starts the jobs that were pushed.
    pub(crate) fn launch(&mut self) {
        if !self.new.is_empty() {
            self.queue.change(|state| state.works.append(&mut self.new));
        }
    }
}

impl Drop for Launcher {
    fn drop(&mut self) {
        self.queue.change(|state| state.is_closed = true);
    }
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.lock();
        change(&mut state);
        let task = state.task.take();
        drop(state);
        if let Some(task) = task {
            task.wake();
        }
    }
}

/// The task that starts the others.
struct Launching {
    queue: Arc<Queue>,
    /// Taken from the queue, to be started with the next poll.
    works: Vec<Work>,
}

impl Future for Launching {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let launching = self.get_mut();
        if !launching.works.is_empty() {
            launching.works.drain(..).for_each(|work| drop(tokio::spawn(work)));
        }
        let mut state = launching.queue.lock();
        mem::swap(&mut state.works, &mut launching.works);
        if !launching.works.is_empty() {
            // Polled again from the end of the worker's queue, from which other workers take tasks, and one of them is woken. Otherwise
            // a job that blocks could run right after the driver on the only worker that watches sockets and timers.
            cx.waker().wake_by_ref();
        } else if state.is_closed {
            return Poll::Ready(());
        } else {
            state.task = Some(cx.waker().clone());
        }
        Poll::Pending
    }
}
