//! The capacity of one service: permits for requests and held streams, the budget of bytes, and the signal that ends the streams.
//!
//! The limits are those of the server. Nothing here knows a response: the caller decides what follows when it gets no permit.

use std::any::Any;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::Waker;

use grange_core::{ByteGuard, Limits, Peer, Permits};
use http::request::Parts;
use tokio::sync::Notify;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

use crate::byte_budget::{Account, ByteBudget, OfConnection};
use crate::lock::lock;
use crate::principal::Principal;
use crate::shares::{Share, Shares};
use crate::telemetry::{self, Open};

/// What is open in all clones of a service together, and how much may be.
#[derive(Debug)]
pub(crate) struct Capacity {
    requests: Counter,
    streams: Counter,
    /// Bytes that are held for clients.
    bytes: Arc<ByteBudget>,
    /// What each principal has of them.
    byte_shares: Shares,
    ending: AtomicBool,
    ended: CancellationToken,
    /// Batches whose members wait for a permit.
    waiting: Waiting,
    /// Notified when the last request is over, once the service is ending.
    idle: Notify,
}

/// How many there are, and the most there may be.
#[derive(Debug)]
struct Counter {
    now: AtomicUsize,
    limit: usize,
    /// What each principal has of them.
    shares: Shares,
}

/// What a permit is for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Kind {
    Request,
    Stream,
}

impl Capacity {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            requests: Counter::new(limits.requests_in_flight, limits.requests_per_principal),
            streams: Counter::new(limits.streams, limits.streams_per_principal),
            bytes: Arc::new(ByteBudget::new(limits.service_bytes, "service_bytes")),
            byte_shares: Shares::new(limits.bytes_per_principal),
            waiting: Waiting::default(),
            ending: AtomicBool::new(false),
            ended: CancellationToken::new(),
            idle: Notify::new(),
        }
    }

    /// Ends the held streams, those to come included.
    pub(crate) fn end(&self) {
        self.ending.store(true, Ordering::SeqCst);
        self.ended.cancel();
    }

    /// Whether [`end`](Self::end) was called.
    #[cfg(feature = "serve")]
    pub(crate) fn is_ending(&self) -> bool {
        self.ending.load(Ordering::SeqCst)
    }

    /// Resolves once [`end`](Self::end) was called.
    pub(crate) fn ended(&self) -> WaitForCancellationFutureOwned {
        self.ended.clone().cancelled_owned()
    }

    /// Whether one more request could have a permit at this moment.
    pub(crate) fn check_room_for_request(&self, principal: Option<&Principal>) -> Result<(), NoPermit> {
        if self.requests.now.load(Ordering::SeqCst) >= self.requests.limit {
            return Err(NoPermit::InAll);
        }
        let has_share = principal.is_none_or(|principal| self.requests.shares.has_room(principal));
        if has_share { Ok(()) } else { Err(NoPermit::OfPrincipal) }
    }

    /// A permit for a request.
    pub(crate) fn permit_request(self: &Arc<Self>, principal: Option<&Principal>) -> Result<Permit, NoPermit> {
        Permit::take(self, Kind::Request, principal)
    }

    /// A permit for a held stream.
    pub(crate) fn permit_stream(self: &Arc<Self>, principal: Option<&Principal>) -> Result<Permit, NoPermit> {
        Permit::take(self, Kind::Stream, principal)
    }

    /// Where the bytes of the request with that head are counted.
    pub(crate) fn account(&self, head: Option<&Parts>) -> Account {
        let extensions = head.map(|head| &head.extensions);
        let connection = extensions.and_then(|of| of.get::<OfConnection>()).map(|of| of.0.clone());
        let principal = extensions.and_then(|of| of.get::<Principal>());
        Account {
            service: self.bytes.clone(),
            connection,
            principal: principal.map(|principal| (self.byte_shares.clone(), principal.clone())),
        }
    }

    /// The budgets of an HTTP/2 connection with so many bytes of its own.
    #[cfg(feature = "serve")]
    pub(crate) fn account_of_connection(&self, bytes: usize) -> Account {
        let connection = Arc::new(ByteBudget::new(bytes, "connection_bytes"));
        Account { connection: Some(connection), ..Account::of_service(self.bytes.clone()) }
    }

    /// Resolves when no request is open, after [`end`](Self::end).
    #[cfg(feature = "serve")]
    pub(crate) async fn idle(&self) {
        loop {
            let mut notified = std::pin::pin!(self.idle.notified());
            notified.as_mut().enable();
            if self.requests.now.load(Ordering::SeqCst) == 0 {
                return;
            }
            notified.await;
        }
    }

    fn counter(&self, kind: Kind) -> &Counter {
        match kind {
            Kind::Request => &self.requests,
            Kind::Stream => &self.streams,
        }
    }
}

/// The capacity of one service, for its jobs.
#[derive(Debug)]
pub(crate) struct JobPermits(pub(crate) Arc<Capacity>);

impl Permits for JobPermits {
    fn try_permit(&self, peer: Option<&Peer>, waker: &Waker) -> Option<Box<dyn Any + Send>> {
        let principal = head_of(peer).and_then(|head| head.extensions.get());
        let take = || self.0.permit_request(principal);
        // The second attempt finds a permit that was returned before the waker was there.
        let permit = take().or_else(|_| {
            self.0.waiting.add(waker);
            take()
        });
        Some(Box::new(permit.ok()?))
    }

    fn hold(&self, peer: Option<&Peer>, bytes: usize) -> Option<ByteGuard> {
        self.0.account(head_of(peer)).hold(bytes).ok().map(ByteGuard::new)
    }
}

fn head_of(peer: Option<&Peer>) -> Option<&Parts> {
    peer.and_then(|peer| peer.downcast_ref())
}

/// The tasks that wait for a permit.
#[derive(Debug, Default)]
struct Waiting {
    wakers: Mutex<Vec<Waker>>,
    /// Whether there are some: without batches a permit is returned without the lock.
    any: AtomicBool,
}

impl Waiting {
    fn add(&self, waker: &Waker) {
        let mut wakers = lock(&self.wakers);
        if !wakers.iter().any(|other| other.will_wake(waker)) {
            wakers.push(waker.clone());
        }
        self.any.store(true, Ordering::SeqCst);
    }

    fn wake_all(&self) {
        if !self.any.load(Ordering::SeqCst) {
            return;
        }
        let mut wakers = lock(&self.wakers);
        self.any.store(false, Ordering::SeqCst);
        let woken = std::mem::take(&mut *wakers);
        drop(wakers);
        woken.into_iter().for_each(Waker::wake);
    }
}

impl Counter {
    fn new(limit: usize, of_each_principal: usize) -> Self {
        Self { now: AtomicUsize::new(0), limit, shares: Shares::new(of_each_principal) }
    }

    /// Adds `more` if the sum is within the limit, and returns whether it is. The sum is never above the limit, not even for a moment:
    /// another task could then miss the room that it waits for.
    #[must_use]
    fn add(&self, more: usize) -> bool {
        let sum = |now: usize| now.checked_add(more).filter(|sum| *sum <= self.limit);
        self.now.fetch_update(Ordering::SeqCst, Ordering::SeqCst, sum).is_ok()
    }

    /// Returns how many there were before.
    fn subtract(&self, fewer: usize) -> usize {
        self.now.fetch_sub(fewer, Ordering::SeqCst)
    }
}

/// Permission for one request, or one held stream, to be open. Returned when dropped.
pub(crate) struct Permit {
    capacity: Arc<Capacity>,
    kind: Kind,
    _open: Open,
    /// In the share of a principal.
    share: Option<Share>,
}

/// Which limit leaves no room.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum NoPermit {
    InAll,
    OfPrincipal,
}

impl Permit {
    fn take(capacity: &Arc<Capacity>, kind: Kind, principal: Option<&Principal>) -> Result<Self, NoPermit> {
        let counter = capacity.counter(kind);
        let share = match principal {
            Some(principal) => Some(counter.shares.take(principal, 1).ok_or(NoPermit::OfPrincipal)?),
            None => None,
        };
        if !counter.add(1) {
            return Err(NoPermit::InAll);
        }
        Ok(Self { capacity: capacity.clone(), kind, _open: Open::new(gauge(kind)), share })
    }
}

/// The metric of what is open.
fn gauge(kind: Kind) -> &'static str {
    match kind {
        Kind::Request => telemetry::REQUESTS,
        Kind::Stream => telemetry::STREAMS,
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.share = None;
        let before = self.capacity.counter(self.kind).subtract(1);
        self.capacity.waiting.wake_all();
        if before == 1 && self.capacity.ending.load(Ordering::SeqCst) {
            self.capacity.idle.notify_waiters();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn capacity() -> Arc<Capacity> {
        let mut limits = Limits::default();
        (limits.requests_in_flight, limits.streams, limits.message_bytes) = (2, 1, 10);
        Arc::new(Capacity::new(&limits))
    }

    #[test]
    fn one_permit_too_many_is_none_and_takes_no_room() {
        let capacity = capacity();
        let first = capacity.permit_request(None);
        let second = capacity.permit_request(None);
        assert!(first.is_ok() && second.is_ok() && capacity.check_room_for_request(None).is_err());
        assert!(capacity.permit_request(None).is_err() && capacity.permit_request(None).is_err());
        drop(first);
        assert!(capacity.permit_request(None).is_ok(), "a permit that is dropped is returned");
        let stream = capacity.permit_stream(None);
        assert!(stream.is_ok() && capacity.permit_stream(None).is_err(), "streams are counted by themselves");
    }

    #[tokio::test]
    #[cfg(feature = "serve")]
    async fn the_service_is_idle_when_its_last_permit_is_returned() {
        let capacity = capacity();
        let permit = capacity.permit_request(None);
        capacity.end();
        assert!(capacity.is_ending());
        capacity.ended().await;
        let waiting = tokio::spawn({
            let capacity = capacity.clone();
            async move { capacity.idle().await }
        });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished(), "a request is open");
        drop(permit);
        waiting.await.expect("it is idle");
    }
}
