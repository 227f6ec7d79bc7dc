//! The hub: who subscribed to what. **An announcement costs by the number of its subscribers.** Under the lock of the hub runs no code of
//! an author, no waker and no matching of templates.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::task::Waker;
use std::time::Duration;

use super::counts;
use super::entry::{Entry, Recipient};
use super::list::List;
use super::subscriptions::{Full, Key, Place};
use crate::limits::Limits;
use crate::lock::lock;

/// What a built server serves at a URI.
#[derive(Debug, Eq, PartialEq)]
pub(crate) enum Served {
    Nothing,
    /// A resource with this URI, byte for byte.
    Resource,
    /// An instance of a template, with the key of its values.
    Instance(String),
}

/// A built server, for the hub.
pub(crate) trait Resolve: Send + Sync {
    fn resolve(&self, uri: &str) -> Served;
}

/// The hub behind a [`Changes`](super::Changes).
pub(crate) struct Hub {
    state: Mutex<State>,
    /// The servers that were built with it.
    servers: Mutex<Vec<Weak<dyn Resolve>>>,
    limits: OnceLock<HubLimits>,
    /// Of all listeners.
    uris: AtomicUsize,
    bytes: AtomicUsize,
    /// The number of announcements so far.
    announced: AtomicU64,
    /// The lists beside that of resources that may change.
    pub(super) declared: [AtomicUsize; List::ALL.len()],
}

#[derive(Clone, Copy)]
struct HubLimits {
    interval: Duration,
    uris: usize,
    bytes: usize,
    bytes_in_all: usize,
}

#[derive(Default)]
struct State {
    last: u64,
    listeners: HashMap<u64, Arc<Entry>>,
    /// By URI and by instance: the listeners, with the places of their subscriptions.
    subscribers: HashMap<Arc<str>, HashSet<(u64, Place)>>,
    /// URIs that were announced though nothing serves them, which were logged.
    unknown: HashSet<String>,
}

impl Default for Hub {
    fn default() -> Self {
        let (state, servers, limits, uris, bytes, announced, declared) = Default::default();
        Self { state, servers, limits, uris, bytes, announced, declared }
    }
}

impl Hub {
    /// Joins a built server. The limits are those of the first one.
    pub(crate) fn join(&self, server: Weak<dyn Resolve>, limits: &Limits) {
        lock(&self.servers).push(server);
        let _ = self.limits.set(HubLimits {
            interval: limits.notify_interval,
            uris: limits.subscribed_uris,
            bytes: limits.subscribed_bytes,
            bytes_in_all: limits.subscribed_bytes_total,
        });
    }

    /// Whether changes of this list are announced.
    pub(crate) fn declares(&self, list: List) -> bool {
        list == List::Resources || self.declared[list as usize].load(Ordering::Relaxed) > 0
    }

    /// Adds a listener, and returns its place.
    pub(super) fn add(&self, entry: Arc<Entry>) -> u64 {
        let mut state = lock(&self.state);
        state.last += 1;
        let place = state.last;
        state.listeners.insert(place, entry);
        drop(state);
        counts::listeners(1.0);
        place
    }

    /// The pause between the changes of one listener.
    pub(super) fn interval(&self) -> Duration {
        self.limits.get().map_or(Duration::ZERO, |limits| limits.interval)
    }

    /// How many announcements there were. A reply that was made while it changed may be old.
    pub(crate) fn announced(&self) -> u64 {
        self.announced.load(Ordering::SeqCst)
    }

    /// How many URIs all listeners subscribe to.
    pub(super) fn subscribed(&self) -> usize {
        self.uris.load(Ordering::SeqCst)
    }

    /// What the servers serve at a URI: the first that serves it decides.
    pub(crate) fn resolve(&self, uri: &str) -> Served {
        let servers: Vec<_> = lock(&self.servers).iter().filter_map(Weak::upgrade).collect();
        servers
            .iter()
            .map(|server| server.resolve(uri))
            .find(|served| *served != Served::Nothing)
            .unwrap_or(Served::Nothing)
    }

    /// The key of a subscription to a URI.
    pub(crate) fn key(&self, uri: &str) -> Key {
        let instance = if let Served::Instance(key) = self.resolve(uri) { Some(key.into()) } else { None };
        Key { uri: uri.into(), instance }
    }

    /// Marks the subscriptions to a URI as changed; with `only`, those of one principal.
    pub(super) fn updated(&self, uri: &str, only: Option<&str>) {
        let served = self.resolve(uri);
        let is_served = served != Served::Nothing;
        let instance = if let Served::Instance(key) = served { Some(key) } else { None };
        let is_subscribed = self.mark(std::iter::once(uri).chain(instance.as_deref()), only);
        if !is_served && !is_subscribed && lock(&self.state).is_newly_unknown(uri) {
            tracing::debug!(uri, "a change was announced of a resource that is neither served nor subscribed");
        }
    }

    /// Marks the subscriptions to a URI as changed, byte for byte: for a resource that came, went or was replaced, and is no instance.
    pub(crate) fn updated_by_bytes(&self, uri: &str) {
        self.mark(std::iter::once(uri), None);
    }

    /// Marks the subscriptions with these names. Returns whether there are some.
    fn mark<'a>(&self, names: impl Iterator<Item = &'a str>, only: Option<&str>) -> bool {
        let state = lock(&self.state);
        // Counted under the lock, so that a subscription is either counted before or marked.
        self.announced.fetch_add(1, Ordering::SeqCst);
        // Once each: a subscription of an instance is entered by both names, and a second mark counts as folded.
        let marked: HashSet<_> = names.filter_map(|name| state.subscribers.get(name)).flatten().copied().collect();
        let hears = |entry: &Entry| only.is_none_or(|principal| entry.recipient.is_told_of(principal));
        let entries = marked.iter().filter_map(|(listener, place)| Some((state.listeners.get(listener)?, *place)));
        let outcomes: Vec<_> =
            entries.filter(|(entry, _)| hears(entry)).map(|(entry, place)| entry.mark(place)).collect();
        drop(state);
        wake(outcomes);
        !marked.is_empty()
    }

    /// Marks a list as changed.
    pub(crate) fn relisted(&self, list: List, only: Option<&str>) {
        let state = lock(&self.state);
        self.announced.fetch_add(1, Ordering::SeqCst);
        let hears = |entry: &&Arc<Entry>| only.is_none_or(|principal| entry.recipient.is_told_of(principal));
        let outcomes: Vec<_> =
            state.listeners.values().filter(hears).filter_map(|entry| entry.mark_list(list)).collect();
        drop(state);
        wake(outcomes);
    }

    /// Ends the listeners of a principal.
    pub(super) fn revoke(&self, principal: &str) {
        let is_own = |entry: &Entry| matches!(&entry.recipient, Recipient::Principal(name) if **name == *principal);
        let state = lock(&self.state);
        let own = state.listeners.iter().filter(|(_, entry)| is_own(entry));
        let own: Vec<_> = own.map(|(place, entry)| (*place, entry.clone())).collect();
        drop(state);
        for (place, entry) in own {
            let (subscribed, waker) = entry.revoke();
            self.leave(place, &subscribed);
            waker.into_iter().for_each(Waker::wake);
        }
    }

    /// Whether a listener may have so many URIs of so many bytes, of which `more` are new.
    pub(super) fn check_room(&self, uris: usize, bytes: usize, more: usize) -> Result<(), Full> {
        let Some(limits) = self.limits.get() else { return Ok(()) };
        let in_all = self.bytes.load(Ordering::SeqCst) + more;
        [
            ("subscribed_uris", uris, limits.uris),
            ("subscribed_bytes", bytes, limits.bytes),
            ("subscribed_bytes_total", in_all, limits.bytes_in_all),
        ]
        .into_iter()
        .find(|(_, wanted, limit)| wanted > limit)
        .map_or(Ok(()), |(setting, _, limit)| Err(Full { setting, limit }))
    }

    /// Enters a subscription of a listener.
    pub(super) fn enter(&self, key: &Key, listener: u64, place: Place) {
        let mut state = lock(&self.state);
        for name in key.names() {
            state.subscribers.entry(name.clone()).or_default().insert((listener, place));
        }
        self.uris.fetch_add(1, Ordering::SeqCst);
        self.bytes.fetch_add(key.uri.len(), Ordering::SeqCst);
        drop(state);
        counts::subscribed(1.0);
    }

    /// Removes subscriptions of a listener. One that was not entered is passed over.
    pub(super) fn leave(&self, listener: u64, subscribed: &[(Place, Key)]) {
        let mut state = lock(&self.state);
        let mut left = 0;
        for (place, key) in subscribed {
            let removed =
                key.names().map(|name| state.remove(name, (listener, *place))).fold(false, |any, one| any | one);
            if removed {
                self.uris.fetch_sub(1, Ordering::SeqCst);
                self.bytes.fetch_sub(key.uri.len(), Ordering::SeqCst);
                left += 1;
            }
        }
        drop(state);
        // Not under the lock: a recorder is code of the application.
        (0..left).for_each(|_| counts::subscribed(-1.0));
    }

    /// Removes a listener without subscriptions.
    pub(super) fn remove(&self, place: u64) {
        if lock(&self.state).listeners.remove(&place).is_some() {
            counts::listeners(-1.0);
        }
    }
}

impl State {
    /// Removes a subscriber, and returns whether it was there.
    fn remove(&mut self, name: &Arc<str>, subscriber: (u64, Place)) -> bool {
        let Some(subscribers) = self.subscribers.get_mut(name) else { return false };
        let removed = subscribers.remove(&subscriber);
        if subscribers.is_empty() {
            self.subscribers.remove(name);
        }
        removed
    }

    /// Whether this URI was not logged before. Few are kept.
    fn is_newly_unknown(&mut self, uri: &str) -> bool {
        const LOGGED: usize = 64;
        self.unknown.len() < LOGGED && self.unknown.insert(uri.to_owned())
    }
}

/// Wakes tasks, and counts what was folded. Not under the lock: this may run code of the application.
fn wake(outcomes: Vec<(Option<Waker>, bool)>) {
    for (waker, is_folded) in outcomes {
        if is_folded {
            counts::folded();
        }
        waker.into_iter().for_each(Waker::wake);
    }
}
