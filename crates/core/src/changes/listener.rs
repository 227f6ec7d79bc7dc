//! One listener, as the code that drives it sees it. It has no clock and no stream: a driver polls it, and passes the time.

use std::sync::Arc;
use std::task::Waker;
use std::time::Instant;

use super::counts;
use super::entry::{Entry, Notice, Recipient};
use super::hub::Hub;
use super::list::Lists;
use super::pause::Pause;
use super::subscriptions::{Full, Key};

/// One listener. Dropped, it is no longer known to the hub.
pub(crate) struct Listener {
    hub: Arc<Hub>,
    /// Its place in the hub.
    place: u64,
    entry: Arc<Entry>,
}

impl Listener {
    /// A new listener to these lists. `is_ready`: its client can be sent messages.
    pub(crate) fn new(hub: &Arc<Hub>, recipient: Recipient, lists: Lists, is_ready: bool) -> Self {
        let heard = Lists::of(|list| lists.contains(list) && hub.declares(list));
        let entry = Arc::new(Entry::new(recipient, heard, Pause::new(hub.interval()), is_ready));
        Self { hub: hub.clone(), place: hub.add(entry.clone()), entry }
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
