//! The budgets of bytes that a service holds for its clients: bodies that arrive, messages whose requests run, and answers that clients
//! have not read. One is the service's; with an identity, each principal has a share of it, and over HTTP/2 each connection.
//!
//! **Over HTTP/1 only large byte strings are counted**, of more than [`SMALL`] bytes: a connection has one small one at a time. What is
//! counted carries its part of the budget along ([`ByteGuard`]), so it is returned when the last owner drops it, be that author code or
//! the queue of a connection.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use grange_core::{ByteGuard, Wire};
#[cfg(feature = "serve")]
use http_body::Body;

use crate::principal::Principal;
use crate::rejection::Limit;
use crate::shares::{Share, Shares};

/// A byte string up to this length is not counted over HTTP/1.
pub(crate) const SMALL: usize = Wire::SLICED;

/// How many bytes are held, and the most there may be.
#[derive(Debug)]
pub(crate) struct ByteBudget {
    now: AtomicUsize,
    limit: Limit,
}

/// The budgets that the bytes of one request are counted in.
#[derive(Clone)]
pub(crate) struct Account {
    pub(crate) service: Arc<ByteBudget>,
    pub(crate) connection: Option<Arc<ByteBudget>>,
    /// The share of a principal.
    pub(crate) principal: Option<(Shares, Principal)>,
}

/// The budget of one HTTP/2 connection of the small server, among the extensions of each request's head.
#[derive(Clone)]
pub(crate) struct OfConnection(pub(crate) Arc<ByteBudget>);

/// Bytes that are held. Returned when dropped.
pub(crate) struct Held {
    account: Account,
    bytes: usize,
    share: Option<Share>,
}

impl ByteBudget {
    pub(crate) fn new(bytes: usize, setting: &'static str) -> Self {
        Self { now: AtomicUsize::new(0), limit: Limit { bytes, setting } }
    }

    /// The sum is never above the limit, not even for a moment.
    fn add(&self, more: usize) -> Result<(), Limit> {
        let sum = |now: usize| now.checked_add(more).filter(|sum| *sum <= self.limit.bytes);
        let added = self.now.fetch_update(Ordering::SeqCst, Ordering::SeqCst, sum);
        added.map(drop).map_err(|_| self.limit)
    }

    fn subtract(&self, fewer: usize) {
        self.now.fetch_sub(fewer, Ordering::SeqCst);
    }
}

impl Account {
    /// The budgets of a service alone.
    pub(crate) fn of_service(service: Arc<ByteBudget>) -> Self {
        Self { service, connection: None, principal: None }
    }

    /// No bytes, which can grow.
    pub(crate) fn open(&self) -> Held {
        Held { account: self.clone(), bytes: 0, share: None }
    }

    /// So many bytes.
    ///
    /// # Errors
    /// The limit that leaves no room for them.
    pub(crate) fn hold(&self, bytes: usize) -> Result<Held, Limit> {
        let mut held = self.open();
        held.grow_to(bytes)?;
        Ok(held)
    }

    /// Counts a small body, of which an HTTP/2 connection may have many. Large ones are counted already.
    #[cfg(feature = "serve")]
    pub(crate) fn hold_small(&self, body: &impl Body) -> Result<Held, Limit> {
        let bytes = body.size_hint().exact().and_then(|exact| usize::try_from(exact).ok());
        self.hold(bytes.filter(|bytes| *bytes <= SMALL).unwrap_or_default())
    }
}

impl Held {
    /// Counts `bytes` from now on.
    ///
    /// # Errors
    /// The limit that leaves no room for them. What was counted before still is.
    pub(crate) fn grow_to(&mut self, bytes: usize) -> Result<(), Limit> {
        let more = bytes.saturating_sub(self.bytes);
        if more == 0 {
            return Ok(());
        }
        let Account { service, connection, principal } = &self.account;
        let mut share = None;
        if let Some((shares, principal)) = principal {
            let no_room = || Limit { bytes: shares.limit(), setting: "bytes_per_principal" };
            share = Some(shares.take(principal, more).ok_or_else(no_room)?);
        }
        if let Some(connection) = connection {
            connection.add(more)?;
        }
        if let Err(limit) = service.add(more) {
            if let Some(connection) = connection {
                connection.subtract(more);
            }
            return Err(limit);
        }
        self.bytes = bytes;
        match (&mut self.share, share) {
            (Some(share), Some(more)) => share.merge(more),
            (none, share) => *none = share,
        }
        Ok(())
    }

    /// The same bytes, counted until the last slice of them is dropped.
    ///
    /// # Errors
    /// The limit that leaves no room for them.
    pub(crate) fn keep(mut self, bytes: Bytes) -> Result<Bytes, Limit> {
        if bytes.len() <= SMALL {
            return Ok(bytes);
        }
        self.grow_to(bytes.len())?;
        Ok(ByteGuard::new(self).guard(bytes))
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if self.bytes > 0 {
            self.account.service.subtract(self.bytes);
            if let Some(connection) = &self.account.connection {
                connection.subtract(self.bytes);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_held_shares_one_budget() {
        let account = Account::of_service(Arc::new(ByteBudget::new(20, "service_bytes")));
        let [mut first, mut second] = [account.open(), account.open()];
        assert!(
            [12, 12, 5].map(|bytes| first.grow_to(bytes)).iter().all(Result::is_ok),
            "what has arrived counts once"
        );
        assert!(second.grow_to(8).is_ok());
        assert!(second.grow_to(9).is_err(), "together they have 20 bytes");
        drop(second);
        assert!(first.grow_to(20).is_ok() && account.hold(1).is_err());
    }

    #[test]
    fn large_bytes_are_counted_until_their_last_slice_is_dropped() {
        let account = Account::of_service(Arc::new(ByteBudget::new(SMALL + 1, "service_bytes")));
        let small = account.open().keep(vec![0; SMALL].into());
        let large = account.open().keep(vec![0; SMALL + 1].into()).expect("there is room");
        assert!(small.is_ok() && account.hold(1).is_err());
        let slice = large.slice(7..9);
        drop(large);
        assert!(account.open().keep(vec![0; SMALL + 1].into()).is_err());
        drop(slice);
        assert!(account.hold(SMALL + 1).is_ok());
    }

    /// An account with these budgets in bytes. One for a principal is its share.
    fn account(service: usize, connection: usize, share: usize) -> Account {
        Account {
            service: Arc::new(ByteBudget::new(service, "service_bytes")),
            connection: Some(Arc::new(ByteBudget::new(connection, "connection_bytes"))),
            principal: Some((Shares::new(share), Principal::new("alice"))),
        }
    }

    #[test]
    fn w5_14_the_tightest_budget_decides_and_a_rejection_counts_nowhere() {
        for (sizes, setting) in
            [((9, 10, 10), "service_bytes"), ((10, 9, 10), "connection_bytes"), ((10, 10, 9), "bytes_per_principal")]
        {
            let account = account(sizes.0, sizes.1, sizes.2);
            let mut held = account.hold(4).expect("each has room");
            let limit = held.grow_to(10).expect_err("one has no room");
            assert_eq!((limit.bytes, limit.setting), (9, setting));
            assert!(held.grow_to(9).is_ok(), "what was rejected is counted in none: {setting}");
            drop(held);
            assert!(account.hold(9).is_ok(), "all was returned: {setting}");
        }
    }

    #[test]
    fn w5_14_one_principal_leaves_room_for_another() {
        let alice = account(20, 20, 10);
        let shares = &alice.principal.as_ref().expect("it has one").0;
        let bob = Account { principal: Some((shares.clone(), Principal::new("bob"))), ..alice.clone() };
        let held = alice.hold(10);
        assert!(held.is_ok() && alice.hold(1).is_err() && bob.hold(10).is_ok());
    }
}
