//! What a connection of HTTP/2 waits for beside its frames: bodies that are not read, the next stream, and its end.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep, sleep_until};

use super::connection_options::{ConnectionOptions, FAREWELL_WRITE};
use super::socket::Writing;
use super::stalled_body::OpenBodies;
use crate::deadline::LONGEST;

/// The times of one connection.
pub(crate) struct StallMonitor {
    bodies: OpenBodies,
    writing: Writing,
    /// How long a body may be stalled.
    time: Duration,
    idle_timeout: Duration,
    next: Option<Pin<Box<Sleep>>>,
    idle: Option<Pin<Box<Sleep>>>,
    farewell: Option<Farewell>,
}

/// The end of a connection: whether it had nothing to send at the last check.
struct Farewell {
    next: Pin<Box<Sleep>>,
    was_quiet: bool,
}

impl Farewell {
    /// Between two checks. A client that confirms the end does so within a round trip.
    const PAUSE: Duration = Duration::from_millis(500);
}

impl StallMonitor {
    pub(crate) fn new(bodies: OpenBodies, writing: Writing, options: ConnectionOptions) -> Self {
        let (time, idle_timeout) = (options.write_timeout, options.idle_timeout.min(LONGEST));
        Self { bodies, writing, time, idle_timeout, next: None, idle: None, farewell: None }
    }

    /// To be polled once the connection is to end. Ready when it had nothing to send at two checks in a row: **it then only waits for the
    /// client to confirm the end**, as HTTP/2 requires, and some clients never do.
    pub(crate) fn poll_farewell(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Self { bodies, writing, farewell, .. } = self;
        let check =
            || Farewell { next: Box::pin(sleep(Farewell::PAUSE)), was_quiet: bodies.is_empty() && !writing.waits() };
        let farewell = farewell.get_or_insert_with(check);
        loop {
            ready!(farewell.next.as_mut().poll(cx));
            let was_quiet = farewell.was_quiet;
            *farewell = check();
            if was_quiet && farewell.was_quiet {
                return Poll::Ready(());
            }
        }
    }

    /// The service ends: no body is waited for as long as before.
    pub(crate) fn hurry(&mut self) {
        self.time = self.time.min(FAREWELL_WRITE);
        self.next = None;
    }

    /// To be polled after the connection, which may have opened new bodies. Ready when no stream was open for the idle time.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            if let Some(since) = self.bodies.empty_since() {
                self.next = None;
                return self.poll_idle(since, cx);
            }
            // Twice in the time, so that no body is kept for much longer than that.
            let pause = self.time / 2;
            let next = self.next.get_or_insert_with(|| Box::pin(sleep(pause)));
            if next.as_mut().poll(cx).is_pending() {
                return Poll::Pending;
            }
            self.next = None;
            self.bodies.sweep(self.time);
        }
    }

    /// Pings do not count as use.
    fn poll_idle(&mut self, since: Instant, cx: &mut Context<'_>) -> Poll<()> {
        let end = since + self.idle_timeout;
        let idle = self.idle.get_or_insert_with(|| Box::pin(sleep_until(end)));
        if idle.deadline() != end {
            idle.as_mut().reset(end);
        }
        idle.as_mut().poll(cx)
    }
}
