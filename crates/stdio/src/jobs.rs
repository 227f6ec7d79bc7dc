//! The jobs of one pipe: each is a task of the runtime, and their messages arrive in one inbox.

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;
use std::task::Context;

use grange_core::{Canceller, Job, Ticket};
use tokio::runtime::Handle;

use crate::inbox::{Batch, Inbox};
use crate::launcher::Launcher;
use crate::work::{Control, Work};

/// The set of jobs. Dropped, it cancels those that are left.
pub(crate) struct Jobs {
    running: HashMap<Ticket, Running>,
    inbox: Arc<Inbox>,
    launcher: Launcher,
    /// The next batch to exchange for a full one.
    emptied: Batch,
}

struct Running {
    control: Arc<Control>,
    canceller: Option<Canceller>,
    is_stream: bool,
}

impl Jobs {
    pub(crate) fn new(runtime: &Handle) -> Self {
        Self {
            running: HashMap::new(),
            inbox: Arc::default(),
            launcher: Launcher::new(runtime),
            emptied: Batch::default(),
        }
    }

    /// Adds a job, which the next [`start`](Self::start) starts.
    pub(crate) fn insert(&mut self, ticket: Ticket, job: Job) {
        let control = Arc::new(Control::default());
        let running = Running { control: control.clone(), canceller: job.canceller(), is_stream: job.needs_stream() };
        self.running.insert(ticket, running);
        self.launcher.push(Work::new(ticket, job, control, self.inbox.clone()));
    }

    /// Starts the jobs that were added.
    pub(crate) fn start(&mut self) {
        self.launcher.launch();
    }

    /// Cancels a job. Code that blocks can see its cancellation token; further messages of the job are dropped.
    pub(crate) fn remove(&mut self, ticket: Ticket) {
        if let Some(running) = self.running.remove(&ticket) {
            running.cancel();
        }
    }

    /// Lets a job go on after a message; `false` if that was its last.
    pub(crate) fn resume(&self, ticket: Ticket) -> bool {
        let running = self.running.get(&ticket);
        running.inspect(|running| running.control.resume()).is_some()
    }

    pub(crate) fn len(&self) -> usize {
        self.running.len()
    }

    /// How many messages of the jobs can be taken.
    pub(crate) fn pending_messages(&self) -> usize {
        self.inbox.len()
    }

    /// Takes the messages of the jobs. Wakes this task when there are more. While this driver has `unwritten` bytes of them, and those that
    /// are not taken are more than the rest of `most`, no author code runs.
    pub(crate) fn take_messages(&mut self, cx: &Context<'_>, unwritten: usize, most: usize) -> Batch {
        let mut batch = mem::take(&mut self.emptied);
        if self.inbox.take(cx, &mut batch, unwritten, most) {
            self.running.values().for_each(|running| running.control.wake());
        }
        batch
    }

    /// Takes an empty batch back, to reuse its memory.
    pub(crate) fn give_back(&mut self, emptied: Batch) {
        self.emptied = emptied;
    }

    /// Notes that a message of a job was taken; `false` if the job was cancelled, so that the message must be dropped. After its last
    /// message a job leaves the set; after any other it has to be [resumed](Self::resume).
    pub(crate) fn note_message(&mut self, ticket: Ticket, is_last: bool) -> bool {
        if is_last { self.running.remove(&ticket).is_some() } else { self.running.contains_key(&ticket) }
    }

    /// Ends held streams.
    pub(crate) fn end(&self) {
        self.running.values().filter(|running| running.is_stream).for_each(|running| running.control.end());
    }
}

impl Running {
    fn cancel(&self) {
        if let Some(canceller) = &self.canceller {
            canceller.cancel();
        }
        self.control.stop();
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        self.running.values().for_each(Running::cancel);
    }
}
