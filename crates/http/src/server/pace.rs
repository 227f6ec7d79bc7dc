//! How long an HTTP/1 connection may wait for its next request: **long for the first byte, since an idle connection is kept for later
//! use, and less from there to the end of the head, since a client that is so slow may be an attack**.
//!
//! hyper has one time for both, on a timer that it creates when it begins to wait for a head and drops when the head is complete. This
//! is such a timer: the socket notes in it that bytes have arrived, and from then on it ends at the shorter time. Not here: the time
//! for the body, in `future.rs`.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use hyper::rt::{Sleep, Timer};
use pin_project_lite::pin_project;

use crate::capacity::Capacity;
use crate::deadline::after;

/// Whether bytes have arrived since the wait for a head began. Only the connection's own task reads it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arrival(Arc<AtomicBool>);

impl Arrival {
    /// Bytes have arrived, of a head or of a body.
    pub(crate) fn note(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The timer of one connection.
#[derive(Clone)]
pub(crate) struct Pace {
    pub(crate) arrival: Arrival,
    /// From the first byte of a head to the last one. To the first one it is hyper's own time.
    pub(crate) head: Duration,
    pub(crate) capacity: Arc<Capacity>,
}

impl Pace {
    /// The wait for a head begins. Bytes that arrived before the end of the last request are in hyper's buffer already; if they are a
    /// part of a head, the rest of it has the longer time.
    fn wait(&self, idle: tokio::time::Sleep) -> Pin<Box<dyn Sleep>> {
        self.arrival.0.store(false, Ordering::Relaxed);
        Box::pin(Wait { pace: self.clone(), begun: false, end: idle })
    }
}

impl Timer for Pace {
    fn sleep(&self, idle: Duration) -> Pin<Box<dyn Sleep>> {
        self.wait(tokio::time::sleep(idle))
    }

    fn sleep_until(&self, idle: Instant) -> Pin<Box<dyn Sleep>> {
        self.wait(tokio::time::sleep_until(idle.into()))
    }

    fn now(&self) -> Instant {
        tokio::time::Instant::now().into()
    }
}

pin_project! {
    /// One wait for a head.
    struct Wait {
        pace: Pace,
        // The first byte is there.
        begun: bool,
        #[pin]
        end: tokio::time::Sleep,
    }
}

impl Future for Wait {
    type Output = ();

    /// hyper polls it each time it has looked for more of the head.
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut this = self.project();
        // A part of a head is no request yet: a shutdown does not wait for the rest.
        if this.pace.capacity.is_ending() {
            return Poll::Ready(());
        }
        if !*this.begun && this.pace.arrival.0.load(Ordering::Relaxed) {
            *this.begun = true;
            this.end.as_mut().reset(after(this.pace.head));
        }
        this.end.poll(cx)
    }
}

impl Sleep for Wait {}
