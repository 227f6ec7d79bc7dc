//! The capacity of one service: permits for requests and held streams, the budget of request bodies that are still arriving, and the
//! signal that ends the streams.
//!
//! The limits are those of the server. Nothing here knows a response: the caller decides what follows when it gets no permit.

use std::any::Any;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::Waker;

use grange_core::{Limits, Permits};
use tokio::sync::Notify;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

use crate::lock::lock;
use crate::principal::Principal;
use crate::shares::{Kind, Share, Shares};
use crate::telemetry::{self, Open};

/// What is open in all clones of a service together, and how much may be.
#[derive(Debug)]
pub(crate) struct Capacity {
    requests: Counter,
    streams: Counter,
    /// What each principal has of them.
    shares: Shares,
    /// Bytes of bodies that have not arrived completely.
    arriving: Counter,
    /// The same bytes, and the heads of these requests.
    waiting_bytes: Counter,
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
}

impl Capacity {
    pub(crate) fn new(limits: &Limits) -> Self {
        let requests = limits.requests_in_flight;
        let bodies = requests.saturating_mul(limits.message_bytes);
        Self {
            requests: Counter::new(requests),
            streams: Counter::new(limits.streams),
            shares: Shares::new(limits),
            arriving: Counter::new(bodies),
            waiting_bytes: Counter::new(bodies.saturating_add(HEADS)),
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
        let has_share = principal.is_none_or(|principal| self.shares.has_room(Kind::Request, principal));
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

    /// The account of one body that is about to arrive.
    pub(crate) fn body_budget(self: &Arc<Self>) -> BodyBudget {
        BodyBudget { capacity: self.clone(), bytes: 0, head: 0 }
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

/// The capacity of one service, for the members of a batch.
#[derive(Debug)]
pub(crate) struct BatchPermits {
    pub(crate) capacity: Arc<Capacity>,
    pub(crate) principal: Option<Principal>,
}

impl Permits for BatchPermits {
    fn try_permit(&self, waker: &Waker) -> Option<Box<dyn Any + Send>> {
        let take = || self.capacity.permit_request(self.principal.as_ref());
        // The second attempt finds a permit that was returned before the waker was there.
        let permit = take().or_else(|_| {
            self.capacity.waiting.add(waker);
            take()
        });
        Some(Box::new(permit.ok()?))
    }
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
    fn new(limit: usize) -> Self {
        Self { now: AtomicUsize::new(0), limit }
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
        let share = match principal {
            Some(principal) => Some(capacity.shares.take(kind, principal).ok_or(NoPermit::OfPrincipal)?),
            None => None,
        };
        if !capacity.counter(kind).add(1) {
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

/// The bytes of one body that are in memory while the rest of it is awaited. All such bodies together may have as many bytes as
/// `Limits::requests_in_flight` messages of the greatest length.
///
/// The head of the request counts beside them, as soon as it has to wait. A head is small, but there may be many, and over HTTP/2 a few
/// bytes become a large one.
pub(crate) struct BodyBudget {
    capacity: Arc<Capacity>,
    bytes: usize,
    head: usize,
}

/// What the heads of waiting requests may have beside the bodies, so that small limits for bodies leave room for them.
const HEADS: usize = 64 * 1024 * 1024;

impl BodyBudget {
    /// Counts `bytes` for this body from now on; `false` if all bodies together have too many.
    #[must_use]
    pub(crate) fn grow_to(&mut self, bytes: usize) -> bool {
        let more = bytes.saturating_sub(self.bytes);
        if more == 0 {
            return true;
        }
        let Capacity { arriving, waiting_bytes, .. } = &*self.capacity;
        if !arriving.add(more) {
            return false;
        }
        if !waiting_bytes.add(more) {
            arriving.subtract(more);
            return false;
        }
        self.bytes = bytes;
        true
    }

    /// Counts the head from now on; `false` if all heads and bodies together have too many bytes. `size` is asked once.
    #[must_use]
    pub(crate) fn add_head(&mut self, size: impl FnOnce() -> usize) -> bool {
        if self.head > 0 {
            return true;
        }
        let size = size();
        let has_room = self.capacity.waiting_bytes.add(size);
        if has_room {
            self.head = size;
        }
        has_room
    }
}

impl Drop for BodyBudget {
    fn drop(&mut self) {
        if self.bytes > 0 {
            self.capacity.arriving.subtract(self.bytes);
        }
        if self.bytes + self.head > 0 {
            self.capacity.waiting_bytes.subtract(self.bytes + self.head);
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

    #[test]
    fn the_bodies_that_arrive_share_one_budget() {
        let capacity = capacity();
        let [mut first, mut second] = [capacity.body_budget(), capacity.body_budget()];
        assert!(first.grow_to(12) && first.grow_to(12) && first.grow_to(5), "what has arrived counts once");
        assert!(second.grow_to(8));
        assert!(!second.grow_to(9), "together they have 20 bytes");
        drop(second);
        assert!(first.grow_to(20));
    }

    #[test]
    fn w5_14_heads_that_wait_count_beside_the_bodies_and_once_each() {
        let capacity = capacity();
        let [mut first, mut second] = [capacity.body_budget(), capacity.body_budget()];
        assert!(first.add_head(|| HEADS) && first.add_head(|| panic!("it is counted")));
        assert!(first.grow_to(20) && !second.add_head(|| 1), "the room for bodies and heads is in use");
        drop((first, second));
        let mut third = capacity.body_budget();
        assert!(third.add_head(|| HEADS + 20), "what is returned leaves nothing");
        assert!(!third.grow_to(1));
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
