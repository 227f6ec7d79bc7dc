//! The jobs of one pipe: each is a task of the runtime, and what they say arrives in one inbox.

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;
use std::task::Context;

use grange_core::{Canceller, Job, Said, Ticket};
use tokio::runtime::Handle;

use crate::launcher::Launcher;
use crate::work::{Control, Inbox, Work};

/// The set. Dropped, it cancels what is left.
pub(crate) struct Jobs {
    running: HashMap<Ticket, Running>,
    inbox: Arc<Inbox>,
    launcher: Launcher,
    /// What was taken out of the inbox last; empty between calls.
    taken: Vec<(Ticket, Said)>,
}

struct Running {
    control: Arc<Control>,
    canceller: Option<Canceller>,
    is_stream: bool,
}

impl Jobs {
    pub(crate) fn new(runtime: &Handle) -> Self {
        Self { running: HashMap::new(), inbox: Arc::default(), launcher: Launcher::new(runtime), taken: Vec::new() }
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

    /// What the jobs said, in order. A job that is done leaves the set; one that said something before is to be
    /// [resumed](Self::resume). Wakes this task for what they say from here on.
    pub(crate) fn poll_said(&mut self, cx: &Context<'_>) -> Vec<(Ticket, Said)> {
        let mut said = mem::take(&mut self.taken);
        self.inbox.take(cx, &mut said);
        said.retain(|(ticket, said)| match said {
            Said::Done(..) | Said::Cancelled => self.running.remove(ticket).is_some(),
            Said::Event(_) | Said::Suspend => self.running.contains_key(ticket),
        });
        said
    }

    /// Takes back the room of what was said.
    pub(crate) fn give_back(&mut self, emptied: Vec<(Ticket, Said)>) {
        self.taken = emptied;
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
