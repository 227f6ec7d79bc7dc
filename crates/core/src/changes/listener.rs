//! One listener: what a client subscribed to, what of it has changed, and when the client is told. **It holds what has changed, never a
//! queue of announcements**, so that a client that does not read costs no more than one that does.
//!
//! It has no clock and no stream: a driver polls it, and passes the time.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::Waker;
use std::time::Instant;

use super::counts;
use super::hub::{Hub, List};
use super::pause::Pause;
use super::subscriptions::{Full, Key, Place, Subscriptions};
use crate::lock::lock;

/// A message to the client of a listener.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Notice {
    /// The resource with this subscribed URI has changed.
    Updated(Arc<str>),
    /// This list has changed.
    Relisted(List),
}

/// A set of lists.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Lists([bool; List::ALL.len()]);

/// Who hears what is announced for one principal.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Recipient {
    /// The one client of a pipe, which is the user that started the server.
    Pipe,
    /// A client over HTTP without an identity.
    Anonymous,
    Principal(Arc<str>),
}

/// One listener. Dropped, it is no longer known to the hub.
pub(crate) struct Listener {
    hub: Arc<Hub>,
    /// Its place in the hub.
    place: u64,
    entry: Arc<Entry>,
}

/// The part of a listener that the hub has too.
pub(super) struct Entry {
    pub(super) recipient: Recipient,
    state: Mutex<State>,
}

struct State {
    subscriptions: Subscriptions,
    /// The lists that the client asked for, and those of them that have changed.
    heard: Lists,
    changed: Lists,
    /// What is being sent: everything that had changed when the last pause was over.
    sending: VecDeque<Notice>,
    pause: Pause,
    /// Whether the client may be sent anything yet.
    is_ready: bool,
    is_revoked: bool,
    waker: Option<Waker>,
}

impl Lists {
    /// The lists for which this holds.
    pub(crate) fn of(holds: impl Fn(List) -> bool) -> Self {
        Self(List::ALL.map(holds))
    }

    pub(crate) fn contains(self, list: List) -> bool {
        self.0[list as usize]
    }

    fn insert(&mut self, list: List) -> bool {
        !std::mem::replace(&mut self.0[list as usize], true)
    }

    fn iter(self) -> impl Iterator<Item = List> {
        List::ALL.into_iter().filter(move |list| self.contains(*list))
    }
}

impl Recipient {
    /// Whether it hears what is announced for that principal alone.
    pub(super) fn is_told_of(&self, principal: &str) -> bool {
        match self {
            Self::Pipe => true,
            Self::Anonymous => false,
            Self::Principal(name) => **name == *principal,
        }
    }
}

impl Entry {
    pub(super) fn new(recipient: Recipient, heard: Lists, pause: Pause, is_ready: bool) -> Self {
        let (subscriptions, changed, sending, waker) = Default::default();
        let state = State { subscriptions, heard, changed, sending, pause, is_ready, is_revoked: false, waker };
        Self { recipient, state: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Marks a subscription as changed. Returns the task to wake, and whether an earlier change is folded with it.
    pub(super) fn mark(&self, place: Place) -> (Option<Waker>, bool) {
        let mut state = self.state();
        let is_new = state.subscriptions.mark(place);
        (state.waker_if_sendable(), !is_new)
    }

    /// The same for a list, which the listener may not have asked for.
    pub(super) fn mark_list(&self, list: List) -> Option<(Option<Waker>, bool)> {
        let mut state = self.state();
        if !state.heard.contains(list) {
            return None;
        }
        let is_new = state.changed.insert(list);
        Some((state.waker_if_sendable(), !is_new))
    }

    /// Ends it: the client hears nothing more. Returns the subscriptions that it had, and the task to wake.
    pub(super) fn revoke(&self) -> (Vec<(Place, Key)>, Option<Waker>) {
        let mut state = self.state();
        state.is_revoked = true;
        state.sending.clear();
        state.changed = Lists::default();
        (state.subscriptions.clear(), state.waker.take())
    }
}

impl State {
    fn has_changed(&self) -> bool {
        !self.sending.is_empty() || self.changed != Lists::default() || self.subscriptions.has_changed()
    }

    fn waker_if_sendable(&mut self) -> Option<Waker> {
        let is_sendable = self.is_ready && self.pause.is_quiet() && self.has_changed();
        if is_sendable { self.waker.take() } else { None }
    }

    /// Takes everything that has changed, each once: lists first.
    fn fold(&mut self) {
        let lists = std::mem::take(&mut self.changed);
        self.sending.extend(lists.iter().map(Notice::Relisted));
        let changed = self.subscriptions.take_changed();
        self.sending.extend(changed.into_iter().map(Notice::Updated));
        if !self.sending.is_empty() {
            self.pause.begin();
        }
    }
}

impl Listener {
    pub(super) fn new(hub: Arc<Hub>, place: u64, entry: Arc<Entry>) -> Self {
        Self { hub, place, entry }
    }

    /// Subscribes to a URI. Its changes are sent once the subscription is [active](Self::activate); `is_active`: at once.
    ///
    /// # Errors
    /// The limit that leaves no room for another.
    pub(crate) fn subscribe(&self, key: Key, is_active: bool) -> Result<(), Full> {
        let mut state = self.entry.state();
        if state.subscriptions.contains(&key.uri) || state.is_revoked {
            return Ok(());
        }
        let bytes = state.subscriptions.bytes() + key.uri.len();
        self.hub.check_room(state.subscriptions.len() + 1, bytes, key.uri.len())?;
        let place = state.subscriptions.add(key.clone(), is_active);
        drop(state);
        self.hub.enter(&key, self.place, place);
        // It may have been removed meanwhile, by another thread.
        if !self.entry.state().subscriptions.contains(&key.uri) {
            self.hub.leave(self.place, &[(place, key)]);
        }
        Ok(())
    }

    /// Ends the subscription to a URI; without one it does nothing.
    pub(crate) fn unsubscribe(&self, uri: &str) {
        let removed = self.entry.state().subscriptions.remove(uri);
        if let Some((place, key)) = removed {
            self.hub.leave(self.place, &[(place, key)]);
        }
    }

    /// The answer to the subscription was sent: changes may follow it.
    pub(crate) fn activate(&self, uri: &str) {
        let mut state = self.entry.state();
        state.subscriptions.activate(uri);
        let waker = state.waker_if_sendable();
        drop(state);
        waker.into_iter().for_each(Waker::wake);
    }

    /// The client can be sent messages from now on.
    pub(crate) fn set_ready(&self) {
        let mut state = self.entry.state();
        state.is_ready = true;
        let waker = state.waker_if_sendable();
        drop(state);
        waker.into_iter().for_each(Waker::wake);
    }

    /// Whether [`Changes::revoke`](super::Changes::revoke) was called for its principal.
    pub(crate) fn is_revoked(&self) -> bool {
        self.entry.state().is_revoked
    }

    /// The next message. Without one, the task of this waker is woken when there may be.
    pub(crate) fn poll(&self, waker: &Waker) -> Option<Notice> {
        let mut state = self.entry.state();
        if state.is_ready && state.sending.is_empty() && state.pause.is_quiet() {
            state.fold();
        }
        if let Some(notice) = state.sending.pop_front().filter(|_| state.is_ready) {
            drop(state);
            counts::sent();
            return Some(notice);
        }
        let before = state.waker.replace(waker.clone());
        drop(state);
        // Dropping a waker may run code.
        drop(before);
        None
    }

    /// The rest, at the end: what has changed does not wait for the pause.
    pub(crate) fn take_last(&self) -> Option<Notice> {
        let mut state = self.entry.state();
        if !state.is_ready {
            return None;
        }
        if state.sending.is_empty() {
            state.fold();
        }
        let notice = state.sending.pop_front();
        drop(state);
        if notice.is_some() {
            counts::sent();
        }
        notice
    }

    /// When the pause after a change ends.
    pub(crate) fn poll_timeout(&self, now: Instant) -> Option<Instant> {
        self.entry.state().pause.poll_timeout(now)
    }

    /// Ends a pause that is over at `now`.
    pub(crate) fn handle_timeout(&self, now: Instant) {
        let mut state = self.entry.state();
        let waker = if state.pause.handle_timeout(now) { state.waker_if_sendable() } else { None };
        drop(state);
        waker.into_iter().for_each(Waker::wake);
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let (subscribed, waker) = self.entry.revoke();
        self.hub.leave(self.place, &subscribed);
        self.hub.remove(self.place);
        drop(waker);
    }
}
