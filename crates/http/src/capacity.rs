//! How much may be open at once in one service, and the end of it: places for requests and for streams, and the signal
//! that ends the streams.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::sync::Notify;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

use crate::rejection::Refused;
use crate::service::Shared;
use crate::telemetry::{self, Open};

/// What is open, in all clones of a service together.
#[derive(Debug, Default)]
pub(crate) struct Places {
    requests: AtomicUsize,
    streams: AtomicUsize,
    /// Bytes of bodies that are not there to their ends.
    arriving: AtomicUsize,
    ending: AtomicBool,
    ended: CancellationToken,
    /// Told when the last request is over, once the service is ending.
    idle: Notify,
}

impl Places {
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

    /// Whether there is a place for a request, at this moment.
    pub(crate) fn has_request_place(&self, limit: usize) -> bool {
        self.requests.load(Ordering::SeqCst) < limit
    }

    /// Resolves when no request is open, after [`end`](Self::end).
    #[cfg(feature = "serve")]
    pub(crate) async fn idle(&self) {
        loop {
            let mut told = std::pin::pin!(self.idle.notified());
            told.as_mut().enable();
            if self.requests.load(Ordering::SeqCst) == 0 {
                return;
            }
            told.await;
        }
    }

    fn count(&self, kind: Kind) -> &AtomicUsize {
        match kind {
            Kind::Request => &self.requests,
            Kind::Stream => &self.streams,
        }
    }
}

/// The right of one request, or of one held stream, to be open. Given back when dropped.
pub(crate) struct Place {
    shared: Arc<Shared>,
    kind: Kind,
    /// `None`: it was one too many.
    _open: Option<Open>,
}

/// What is kept of one body until the rest of it is there; counted with that of all others, and bounded with it by what all
/// requests together may have.
pub(crate) struct Arriving {
    shared: Arc<Shared>,
    bytes: usize,
}

impl Arriving {
    pub(crate) fn new(shared: &Arc<Shared>) -> Self {
        Self { shared: shared.clone(), bytes: 0 }
    }

    /// So many bytes are kept now.
    pub(crate) fn keep(&mut self, bytes: usize) -> Result<(), Refused> {
        let more = bytes.saturating_sub(self.bytes);
        if more == 0 {
            return Ok(());
        }
        let limits = self.shared.server.limits();
        let before = self.shared.places.arriving.fetch_add(more, Ordering::SeqCst);
        self.bytes = bytes;
        let limit = limits.requests_in_flight;
        let has_room = before.saturating_add(more) <= limit.saturating_mul(limits.message_bytes);
        if has_room { Ok(()) } else { Err(Refused::Busy { limit }) }
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        if self.bytes > 0 {
            self.shared.places.arriving.fetch_sub(self.bytes, Ordering::SeqCst);
        }
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Request,
    Stream,
}

impl Place {
    /// A place for a request, if fewer than `limit` are open.
    pub(crate) fn request(shared: &Arc<Shared>, limit: usize) -> Option<Self> {
        Self::take(shared, Kind::Request, limit)
    }

    /// A place for a held stream, if fewer than `limit` are open.
    pub(crate) fn stream(shared: &Arc<Shared>, limit: usize) -> Option<Self> {
        Self::take(shared, Kind::Stream, limit)
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    fn take(shared: &Arc<Shared>, kind: Kind, limit: usize) -> Option<Self> {
        let before = shared.places.count(kind).fetch_add(1, Ordering::SeqCst);
        let has_place = before < limit;
        // One too many gives its place back here, by its drop.
        let place = Self { shared: shared.clone(), kind, _open: has_place.then(|| Open::new(kind.gauge())) };
        has_place.then_some(place)
    }
}

impl Kind {
    fn gauge(self) -> &'static str {
        match self {
            Self::Request => telemetry::REQUESTS,
            Self::Stream => telemetry::STREAMS,
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let places = &self.shared.places;
        let before = places.count(self.kind).fetch_sub(1, Ordering::SeqCst);
        if before == 1 && places.ending.load(Ordering::SeqCst) {
            places.idle.notify_waiters();
        }
    }
}
