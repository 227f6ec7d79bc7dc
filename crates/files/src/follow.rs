//! The thread that follows a directory: by events, or by looking at intervals. It ends when nobody has the shelf any longer.

use std::io;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crate::events::Events;
use crate::hint::Hints;
use crate::root::Root;
use crate::signal::Signal;
use crate::state::State;

/// How often the thread looks whether the root is still the same directory, and whether the shelf is needed.
const CHECK: Duration = Duration::from_secs(1);
/// How often all is read where there are no events.
const POLL: Duration = Duration::from_secs(30);

/// How a directory is followed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Means {
    Events,
    Poll(Duration),
}

/// Starts the thread.
pub(crate) fn follow(state: Arc<State>, signal: Arc<Signal>, means: Means) -> io::Result<()> {
    let now = Instant::now();
    let follower = Follower { state, signal, means, events: None, check: now, poll: now };
    thread::Builder::new().name("grange-files".to_owned()).spawn(move || follower.run()).map(drop)
}

struct Follower {
    state: Arc<State>,
    signal: Arc<Signal>,
    means: Means,
    /// Of the root that is followed.
    events: Option<Events>,
    /// When the root is looked at next.
    check: Instant,
    /// When all is read next, without events.
    poll: Instant,
}

impl Follower {
    fn run(mut self) {
        while self.state.is_needed() {
            let hints = self.signal.wait(self.next());
            let now = Instant::now();
            let mut hints = hints.unwrap_or_default();
            if now >= self.check {
                self.check = now + CHECK;
                hints.merge(self.check_root());
            }
            if let Means::Poll(every) = self.means
                && now >= self.poll
            {
                self.poll = now + every;
                hints.merge(Hints::all());
            }
            if !hints.is_empty() {
                self.look(&hints);
            }
        }
    }

    fn next(&self) -> Instant {
        if matches!(self.means, Means::Poll(_)) { self.check.min(self.poll) } else { self.check }
    }

    fn look(&mut self, hints: &Hints) {
        let events = &mut self.events;
        let mut enter = |folder: &str| {
            if let Some(events) = events {
                events.watch(folder);
            }
        };
        let again = self.state.look(hints, &mut enter);
        self.signal.add(again);
        if let Some(error) = self.events.as_mut().and_then(|events| events.failure.take()) {
            self.poll_instead(&error.to_string());
        }
    }

    /// Follows another directory at the path, or none. Returns where to look for that reason.
    fn check_root(&mut self) -> Hints {
        let before = self.state.source().root().map(|root| root.identity());
        let root = self.state.follow_root();
        let now = root.as_ref().map(|root| root.identity());
        let is_watched = self.means != Means::Events
            || self.events.as_ref().map(|events| Arc::as_ptr(&events.root)) == root.as_ref().map(Arc::as_ptr);
        if before == now && is_watched {
            return Hints::default();
        }
        self.events = None;
        if let Some(root) = root.filter(|_| self.means == Means::Events) {
            self.start_events(root);
        }
        Hints::all()
    }

    fn start_events(&mut self, root: Arc<Root>) {
        if root.is_remote() {
            self.poll_instead("the file system is remote: changes of other machines come without events");
            return;
        }
        match Events::start(root, &self.signal) {
            Ok(events) => self.events = Some(events),
            Err(error) => self.poll_instead(&error.to_string()),
        }
    }

    /// Reads all at intervals from now on.
    fn poll_instead(&mut self, reason: &str) {
        let directory = self.state.path().display();
        tracing::warn!(target: "grange", %directory, reason, "a directory is read every {} s", POLL.as_secs());
        self.events = None;
        self.means = Means::Poll(POLL);
        self.poll = Instant::now() + POLL;
    }
}
