//! What each principal has of one limit of a service, so that one caller cannot take all of it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crate::lock::lock;
use crate::principal::Principal;

/// The shares of all principals in one limit. Clones are the same.
#[derive(Clone, Debug)]
pub(crate) struct Shares {
    open: Arc<Mutex<Open>>,
    limit: usize,
}

/// How much each principal has; those without anything are not listed.
type Open = HashMap<Principal, usize>;

/// A part of the share of a principal. Returned when dropped.
#[derive(Debug)]
pub(crate) struct Share {
    open: Arc<Mutex<Open>>,
    owner: Principal,
    amount: usize,
}

impl Shares {
    /// Shares of so much for each principal.
    pub(crate) fn new(limit: usize) -> Self {
        Self { open: Arc::default(), limit }
    }

    /// The most that one principal may have.
    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    /// Whether that principal could have one more at this moment.
    pub(crate) fn has_room(&self, principal: &Principal) -> bool {
        lock(&self.open).get(principal).is_none_or(|sum| *sum < self.limit)
    }

    /// So much more for that principal; `None` if its share has no room for it.
    pub(crate) fn take(&self, principal: &Principal, amount: usize) -> Option<Share> {
        let mut open = lock(&self.open);
        let before = open.get(principal).copied().unwrap_or(0);
        let sum = before.checked_add(amount).filter(|sum| *sum <= self.limit)?;
        open.insert(principal.clone(), sum);
        drop(open);
        Some(Share { open: self.open.clone(), owner: principal.clone(), amount })
    }
}

impl Share {
    /// Adds another part of the same share to this one.
    pub(crate) fn merge(&mut self, mut other: Self) {
        self.amount += std::mem::take(&mut other.amount);
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        if self.amount == 0 {
            return;
        }
        let mut open = lock(&self.open);
        match open.get_mut(&self.owner) {
            Some(sum) if *sum > self.amount => *sum -= self.amount,
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
        let shares = Shares::new(2);
        let [alice, bob] = ["alice", "bob"].map(Principal::new);
        let held: Vec<_> = (0..3).map(|_| shares.take(&alice, 1)).collect();
        assert_eq!(held.iter().flatten().count(), 2);
        assert!(!shares.has_room(&alice) && shares.has_room(&bob));
        assert!(shares.take(&bob, 1).is_some(), "the share of another principal is its own");
        assert!(shares.take(&bob, 3).is_none() && shares.take(&bob, usize::MAX).is_none());
        drop(held);
        assert!(lock(&shares.open).is_empty());
    }

    #[test]
    fn parts_that_were_merged_are_returned_together() {
        let (shares, alice) = (Shares::new(5), Principal::new("alice"));
        let mut first = shares.take(&alice, 2).expect("there is room");
        first.merge(shares.take(&alice, 3).expect("there is room"));
        assert!(shares.take(&alice, 1).is_none());
        drop(first);
        assert!(lock(&shares.open).is_empty());
    }
}
