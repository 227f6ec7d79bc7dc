//! Which of the URIs that a client asked to subscribe to it may: **those that it could read now.** Fixed contents are granted at once; for
//! others the reader runs, with the identity of the client, and its contents are dropped.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context as TaskContext, Poll};
use std::time::Instant;

use super::event::JobEvent;
use super::handle::Job;
use crate::call::Reply;
use crate::permits::Permits;
use crate::task::{Concluded, Scope, Task, WriteRejection};

/// Decides about one URI.
pub(crate) enum Decision {
    Given,
    Refused,
    /// It is given if this job says so.
    Asked(Job, Granted),
}

/// Whether a read has succeeded.
#[derive(Clone, Default)]
pub(crate) struct Granted(Arc<AtomicBool>);

/// A read whose contents are dropped.
pub(crate) struct Probe {
    read: Box<dyn Task>,
    granted: Granted,
}

/// Makes the read that decides about a URI.
pub(crate) type Ask = Box<dyn FnMut(&str) -> Decision + Send>;

/// The URIs of one request, in order.
pub(super) struct Decisions {
    ask: Ask,
    peer: Option<Arc<dyn Any + Send + Sync>>,
    permits: Option<Arc<dyn Permits>>,
    waiting: VecDeque<(usize, String)>,
    running: Vec<(usize, String, Job, Granted)>,
    given: Vec<(usize, String)>,
}

impl Granted {
    fn is_given(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

impl Probe {
    pub(crate) fn new(read: Box<dyn Task>, granted: Granted) -> Self {
        Self { read, granted }
    }
}

impl Task for Probe {
    fn name(&self) -> &'static str {
        "probe"
    }

    fn rejection_writer(&self) -> WriteRejection {
        self.read.rejection_writer()
    }

    fn poll(&mut self, scope: &Scope<'_>, cx: &mut TaskContext<'_>) -> Poll<Concluded> {
        let polled = self.read.poll(scope, cx);
        if let Poll::Ready(Ok(_)) = polled {
            self.granted.0.store(true, Ordering::Release);
        }
        polled.map(|concluded| concluded.map(|_| scope.writer.write(Reply::default())))
    }
}

impl Decisions {
    pub(super) fn new(uris: impl IntoIterator<Item = String>, ask: Ask) -> Self {
        let waiting = uris.into_iter().enumerate().collect();
        Self { ask, peer: None, permits: None, waiting, running: Vec::new(), given: Vec::new() }
    }

    /// Sets what the readers get; see [`Job::set_peer`].
    pub(super) fn set_peer(&mut self, peer: &Arc<dyn Any + Send + Sync>) {
        self.peer = Some(peer.clone());
    }

    pub(super) fn set_permits(&mut self, permits: &Arc<dyn Permits>) {
        self.permits = Some(permits.clone());
    }

    /// Runs the readers, few at once; ready when each URI is decided. The results are those of [`take`](Self::take).
    pub(super) fn poll(&mut self, cx: &mut TaskContext<'_>) -> Poll<()> {
        loop {
            self.start();
            let mut has_ended = false;
            for at in (0..self.running.len()).rev() {
                let (_, _, job, _) = &mut self.running[at];
                match job.poll(cx) {
                    Poll::Ready(JobEvent::Done(..) | JobEvent::Cancelled) => {
                        let (place, uri, _, granted) = self.running.swap_remove(at);
                        has_ended = true;
                        if granted.is_given() {
                            self.given.push((place, uri));
                        }
                    }
                    // What it says before its answer is nothing that the client asked for.
                    Poll::Ready(JobEvent::Event(_) | JobEvent::Suspend) => cx.waker().wake_by_ref(),
                    Poll::Pending => {}
                }
            }
            if self.running.is_empty() && self.waiting.is_empty() {
                return Poll::Ready(());
            }
            if !has_ended {
                return Poll::Pending;
            }
        }
    }

    fn start(&mut self) {
        /// Readers at once.
        const RUNNING: usize = 16;
        while self.running.len() < RUNNING
            && let Some((place, uri)) = self.waiting.pop_front()
        {
            match (self.ask)(&uri) {
                Decision::Given => self.given.push((place, uri)),
                Decision::Refused => {}
                Decision::Asked(mut job, granted) => {
                    self.peer.iter().for_each(|peer| job.set_peer(peer.clone()));
                    self.permits.iter().for_each(|permits| job.set_permits(permits.clone()));
                    self.running.push((place, uri, job, granted));
                }
            }
        }
    }

    /// Leaves out what is not decided yet, and returns what was given, in the order in which it was asked for.
    pub(super) fn take(&mut self) -> impl Iterator<Item = String> + use<> {
        self.waiting.clear();
        self.running.clear();
        let mut given = std::mem::take(&mut self.given);
        given.sort_by_key(|(place, _)| *place);
        given.into_iter().map(|(_, uri)| uri)
    }

    pub(super) fn poll_timeout(&mut self, now: Instant) -> Option<Instant> {
        self.running.iter_mut().filter_map(|(_, _, job, _)| job.poll_timeout(now)).min()
    }

    pub(super) fn handle_timeout(&mut self, now: Instant) {
        self.running.iter_mut().for_each(|(_, _, job, _)| job.handle_timeout(now));
    }
}
