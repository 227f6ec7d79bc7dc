//! How much may be open at once in one service, and the end of it: places for requests and for streams, and the signal
//! that ends the streams.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::sync::Notify;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

use crate::service::Shared;
use crate::watch::{self, Open};

/// What is open, in all clones of a service together.
#[derive(Debug, Default)]
pub(crate) struct Places {
    requests: AtomicUsize,
    streams: AtomicUsize,
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
            Self::Request => watch::REQUESTS,
            Self::Stream => watch::STREAMS,
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
