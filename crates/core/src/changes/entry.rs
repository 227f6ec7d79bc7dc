//! The part of a listener that the hub has too: what the client subscribed to, and what of it has changed. **It holds what has changed, never
//! a queue of announcements**, so that a client that does not read costs no more than one that does.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::Waker;

use super::list::{List, Lists};
use super::pause::Pause;
use super::subscriptions::{Key, Place, Subscriptions};
use crate::lock::lock;

/// A message to the client of a listener.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Notice {
    /// The resource with this subscribed URI has changed.
    Updated(Arc<str>),
    /// This list has changed.
    Relisted(List),
}

/// Whose client a listener has, for announcements to one principal.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Recipient {
    /// The one client of a pipe, which is the user that started the server.
    Pipe,
    /// A client over HTTP without an identity.
    Anonymous,
    Principal(Arc<str>),
}

/// The part of a listener that the hub has too.
pub(super) struct Entry {
    pub(super) recipient: Recipient,
    state: Mutex<State>,
}

pub(super) struct State {
    pub(super) subscriptions: Subscriptions,
    /// The lists that the client asked for, and those of them that have changed.
    heard: Lists,
    changed: Lists,
    /// What is being sent: everything that had changed when the last pause was over.
    pub(super) sending: VecDeque<Notice>,
    pub(super) pause: Pause,
    /// Whether the client may be sent anything yet.
    pub(super) is_ready: bool,
    pub(super) is_revoked: bool,
    pub(super) waker: Option<Waker>,
}

impl Recipient {
    /// Whether an announcement to that principal alone reaches it.
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

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
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

    /// Ends it: the client gets no more notifications. Returns the subscriptions that it had, and the task to wake.
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

    pub(super) fn waker_if_sendable(&mut self) -> Option<Waker> {
        let is_sendable = self.is_ready && self.pause.is_quiet() && self.has_changed();
        if is_sendable { self.waker.take() } else { None }
    }

    /// Takes everything that has changed, each once: lists first.
    pub(super) fn fold(&mut self) {
        let lists = std::mem::take(&mut self.changed);
        self.sending.extend(lists.iter().map(Notice::Relisted));
        let changed = self.subscriptions.take_changed();
        self.sending.extend(changed.into_iter().map(Notice::Updated));
        if !self.sending.is_empty() {
            self.pause.begin();
        }
    }
}
