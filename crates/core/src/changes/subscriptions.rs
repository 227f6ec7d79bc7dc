//! The URIs that one listener subscribed to, as the client sent them, and which of them have changed.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// What a subscription listens to: the URI byte for byte, and for an instance of a template also all other spellings of its values.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Key {
    pub(crate) uri: Arc<str>,
    pub(crate) instance: Option<Arc<str>>,
}

impl Key {
    /// The names under which the hub finds it.
    pub(super) fn names(&self) -> impl Iterator<Item = &Arc<str>> {
        std::iter::once(&self.uri).chain(&self.instance)
    }
}

/// A limit of one listener that is reached: the name of the setting, and its value.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Full {
    pub(crate) setting: &'static str,
    pub(crate) limit: usize,
}

/// The place of one subscription, which stays its own as long as it lasts.
pub(super) type Place = u64;

/// The subscriptions of one listener.
#[derive(Debug, Default)]
pub(super) struct Subscriptions {
    by_uri: HashMap<Arc<str>, Place>,
    all: HashMap<Place, Subscription>,
    last: Place,
    /// Places that have changed, in the order of their first change since they were sent. One that was removed is passed over.
    dirty: VecDeque<Place>,
    /// Bytes of all URIs.
    bytes: usize,
}

#[derive(Debug)]
struct Subscription {
    key: Key,
    /// Whether its answer was sent, so that changes may follow it.
    is_active: bool,
    is_dirty: bool,
}

impl Subscriptions {
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Bytes of all URIs.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn contains(&self, uri: &str) -> bool {
        self.by_uri.contains_key(uri)
    }

    /// Adds a subscription, and returns its place. One that is there already stays as it is.
    pub(super) fn add(&mut self, key: Key, is_active: bool) -> Place {
        if let Some(place) = self.by_uri.get(&key.uri) {
            return *place;
        }
        self.last += 1;
        self.bytes += key.uri.len();
        self.by_uri.insert(key.uri.clone(), self.last);
        self.all.insert(self.last, Subscription { key, is_active, is_dirty: false });
        self.last
    }

    /// Removes the subscription to that URI.
    pub(super) fn remove(&mut self, uri: &str) -> Option<(Place, Key)> {
        let place = self.by_uri.remove(uri)?;
        let Subscription { key, is_dirty, .. } = self.all.remove(&place)?;
        self.bytes -= key.uri.len();
        if is_dirty {
            self.dirty.retain(|other| *other != place);
        }
        Some((place, key))
    }

    /// Removes all.
    pub(super) fn clear(&mut self) -> Vec<(Place, Key)> {
        let all = std::mem::take(&mut self.all);
        self.by_uri.clear();
        self.dirty.clear();
        self.bytes = 0;
        all.into_iter().map(|(place, subscription)| (place, subscription.key)).collect()
    }

    /// The answer to the subscription was sent: its changes may follow. Returns whether some wait.
    pub(super) fn activate(&mut self, uri: &str) -> bool {
        let subscription = self.by_uri.get(uri).and_then(|place| self.all.get_mut(place));
        subscription.is_some_and(|subscription| {
            subscription.is_active = true;
            subscription.is_dirty
        })
    }

    /// Marks a subscription as changed; `false` if it was marked already.
    pub(super) fn mark(&mut self, place: Place) -> bool {
        match self.all.get_mut(&place) {
            Some(subscription) if !subscription.is_dirty => {
                subscription.is_dirty = true;
                self.dirty.push_back(place);
                true
            }
            _ => false,
        }
    }

    /// Takes what has changed and may be sent: its URIs, in order.
    pub(super) fn take_changed(&mut self) -> Vec<Arc<str>> {
        let (mut changed, mut left) = (Vec::new(), VecDeque::new());
        for place in self.dirty.drain(..) {
            match self.all.get_mut(&place) {
                Some(subscription) if subscription.is_active => {
                    subscription.is_dirty = false;
                    changed.push(subscription.key.uri.clone());
                }
                Some(_) => left.push_back(place),
                None => {}
            }
        }
        self.dirty = left;
        changed
    }

    /// Whether something that has changed may be sent.
    pub(super) fn has_changed(&self) -> bool {
        self.dirty.iter().any(|place| self.all.get(place).is_some_and(|subscription| subscription.is_active))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(uri: &str) -> Key {
        Key { uri: uri.into(), instance: None }
    }

    fn changed(subscriptions: &mut Subscriptions) -> Vec<String> {
        subscriptions.take_changed().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn l3_14_a_uri_is_subscribed_once_and_each_change_is_sent_once() {
        let mut subscriptions = Subscriptions::default();
        let places = ["b", "a", "b"].map(|uri| subscriptions.add(key(uri), true));
        assert_eq!((places[0], subscriptions.len(), subscriptions.bytes()), (places[2], 2, 2));
        assert_eq!([places[1], places[0], places[1]].map(|place| subscriptions.mark(place)), [true, true, false]);
        assert_eq!(changed(&mut subscriptions), ["a", "b"]);
        assert!(subscriptions.remove("a").is_some() && subscriptions.remove("a").is_none());
        assert!(!subscriptions.mark(places[1]), "it is not subscribed");
        assert!(changed(&mut subscriptions).is_empty());
    }

    #[test]
    fn l3_15_a_change_waits_for_the_answer_to_its_subscription() {
        let mut subscriptions = Subscriptions::default();
        let place = subscriptions.add(key("a"), false);
        subscriptions.mark(place);
        assert!(!subscriptions.has_changed() && changed(&mut subscriptions).is_empty());
        assert!(subscriptions.activate("a") && subscriptions.has_changed());
        assert_eq!(changed(&mut subscriptions), ["a"]);
    }
}
