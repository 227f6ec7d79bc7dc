//! What each principal has of the capacity of one service, so that one caller cannot take all of it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use grange_core::Limits;

use crate::lock::lock;
use crate::principal::Principal;

/// What a permit is for.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(crate) enum Kind {
    Request,
    Stream,
}

/// The shares of all principals.
#[derive(Debug)]
pub(crate) struct Shares {
    open: Arc<Mutex<Open>>,
    requests: usize,
    streams: usize,
}

/// How many permits each principal has; those without one are not listed.
type Open = HashMap<(Principal, Kind), usize>;

/// One permit in the share of a principal. Returned when dropped.
#[derive(Debug)]
pub(crate) struct Share {
    open: Arc<Mutex<Open>>,
    owner: (Principal, Kind),
}

impl Shares {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self { open: Arc::default(), requests: limits.requests_per_principal, streams: limits.streams_per_principal }
    }

    /// Whether that principal could have one more at this moment.
    pub(crate) fn has_room(&self, kind: Kind, principal: &Principal) -> bool {
        lock(&self.open).get(&(principal.clone(), kind)).is_none_or(|count| *count < self.limit(kind))
    }

    /// One more for that principal; `None` if its share is in use.
    pub(crate) fn take(&self, kind: Kind, principal: &Principal) -> Option<Share> {
        let owner = (principal.clone(), kind);
        let mut open = lock(&self.open);
        let count = open.get(&owner).copied().unwrap_or(0);
        if count >= self.limit(kind) {
            return None;
        }
        open.insert(owner.clone(), count + 1);
        drop(open);
        Some(Share { open: self.open.clone(), owner })
    }
}

impl Shares {
    fn limit(&self, kind: Kind) -> usize {
        match kind {
            Kind::Request => self.requests,
            Kind::Stream => self.streams,
        }
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut open = lock(&self.open);
        match open.get_mut(&self.owner) {
            Some(count) if *count > 1 => *count -= 1,
            _ => {
                open.remove(&self.owner);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_principal_has_its_share_and_what_is_returned_leaves_nothing() {
        let shares = Shares::new(&Limits { requests_per_principal: 2, streams_per_principal: 1, ..Limits::default() });
        let [alice, bob] = ["alice", "bob"].map(Principal::new);
        let held: Vec<_> = (0..3).map(|_| shares.take(Kind::Request, &alice)).collect();
        assert_eq!(held.iter().flatten().count(), 2);
        assert!(shares.take(Kind::Request, &bob).is_some(), "the share of another principal is its own");
        let stream = shares.take(Kind::Stream, &alice);
        assert!(stream.is_some() && shares.take(Kind::Stream, &alice).is_none(), "streams are counted by themselves");
        drop((held, stream));
        assert!(lock(&shares.open).is_empty());
    }
}
