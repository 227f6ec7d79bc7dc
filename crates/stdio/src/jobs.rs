//! The jobs of one pipe: each is a task of the runtime, and what they say arrives in one inbox.

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;
use std::task::Context;

use grange_core::{Canceller, Job, Ticket};
use tokio::runtime::Handle;

use crate::inbox::{Batch, Inbox};
use crate::launcher::Launcher;
use crate::work::{Control, Work};

/// The set. Dropped, it cancels what is left.
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

    /// Cancels a job. Code that blocks sees its token fire; whatever it says from here on is dropped.
    pub(crate) fn remove(&mut self, ticket: Ticket) {
        if let Some(running) = self.running.remove(&ticket) {
            running.cancel();
        }
    }

    /// Lets a job go on that said something but is not done; `false` if it is.
    pub(crate) fn resume(&self, ticket: Ticket) -> bool {
        let running = self.running.get(&ticket);
        running.inspect(|running| running.control.resume()).is_some()
    }

    pub(crate) fn len(&self) -> usize {
        self.running.len()
    }

    /// How many messages of theirs are there to take.
    pub(crate) fn said(&self) -> usize {
        self.inbox.len()
    }

    /// Takes what the jobs said. Wakes this task for what they say from here on.
    pub(crate) fn poll_said(&mut self, cx: &Context<'_>) -> Batch {
        let mut batch = mem::take(&mut self.emptied);
        self.inbox.take(cx, &mut batch);
        batch
    }

    /// Takes a batch back for its room.
    pub(crate) fn give_back(&mut self, emptied: Batch) {
        self.emptied = emptied;
    }

    /// Notes that a job said something; `false` if it was cancelled before, so that nobody may hear it. A job that is done leaves
    /// the set; one that said something before is to be [resumed](Self::resume).
    pub(crate) fn hear(&mut self, ticket: Ticket, is_last: bool) -> bool {
        if is_last { self.running.remove(&ticket).is_some() } else { self.running.contains_key(&ticket) }
    }

    /// Has held streams end.
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
