//! Response bodies on an HTTP/2 connection that their client stopped reading: **after the write timeout they are dropped**.
//!
//! A client of HTTP/2 can stop one stream by giving it no window, while the connection itself goes on. The write timeout of the socket
//! does not notice that, and hyper does not poll a body for which it has no window. So each body is registered with its connection,
//! which monitors it: a stalled body is dropped, and with it the bytes or the job behind it; if the client opens the window after that,
//! its stream is reset. The connection goes on: behind a proxy it carries other clients' streams too.
//! Not here: HTTP/1, where the timeout of the socket does the same.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use std::{fmt, mem};

use bytes::Bytes;
use http::{Request, Response};
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;
use pin_project_lite::pin_project;
use tokio::time::{Instant, Sleep, sleep};

use super::endpoint::Endpoint;
use crate::future::ResponseFuture;
use crate::lock::lock;
use crate::response::ResponseBody;

/// The bodies of one connection that were not sent to their ends.
#[derive(Clone, Default)]
pub(crate) struct OpenBodies(Arc<Mutex<Vec<Arc<BodyState>>>>);

/// The place of one body.
#[derive(Default)]
struct BodyState(Mutex<Unsent>);

/// What is left of a body.
#[derive(Default)]
struct Unsent {
    /// `None` before there is a response, and once the body was dropped.
    body: Option<ResponseBody>,
    /// The rest of the body's last bytes, which were longer than a piece.
    rest: Bytes,
    /// Since when the client could have read more. `None` while the body has nothing to send.
    since: Option<Instant>,
}

impl OpenBodies {
    fn open(&self) -> Arc<BodyState> {
        let state = Arc::<BodyState>::default();
        lock(&self.0).push(state.clone());
        state
    }

    fn close(&self, state: &Arc<BodyState>) {
        lock(&self.0).retain(|other| !Arc::ptr_eq(other, state));
    }

    /// Drops the bodies that were not read for that long.
    fn sweep(&self, time: Duration) {
        let now = Instant::now();
        let stalled: Vec<Unsent> = lock(&self.0).iter().filter_map(|state| state.take_stalled(now, time)).collect();
        // Dropped without the lock: this may run an author's code.
        if !stalled.is_empty() {
            tracing::debug!(answers = stalled.len(), "dropped responses that clients stopped reading");
        }
    }

    fn is_empty(&self) -> bool {
        lock(&self.0).is_empty()
    }
}

impl BodyState {
    fn take_stalled(&self, now: Instant, time: Duration) -> Option<Unsent> {
        let mut unsent = lock(&self.0);
        let is_over = unsent.since.is_some_and(|since| now.saturating_duration_since(since) >= time);
        is_over.then(|| mem::take(&mut *unsent))
    }
}

/// Drops the stalled bodies of a connection.
pub(crate) struct StallMonitor {
    bodies: OpenBodies,
    time: Duration,
    next: Option<Pin<Box<Sleep>>>,
    farewell: Option<Farewell>,
}

/// The end of a connection: whether it had an open body at the last check.
struct Farewell {
    next: Pin<Box<Sleep>>,
    was_empty: bool,
}

impl Farewell {
    /// Between two checks. A client that confirms the end does so within a round trip.
    const PAUSE: Duration = Duration::from_millis(500);
}

impl StallMonitor {
    pub(crate) fn new(bodies: OpenBodies, time: Duration) -> Self {
        Self { bodies, time, next: None, farewell: None }
    }

    /// To be polled once the connection is to end. Ready when it had no open body at two checks in a row: **it then only waits for the
    /// client to confirm the end**, as HTTP/2 requires, and some clients never do.
    pub(crate) fn poll_farewell(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Self { bodies, farewell, .. } = self;
        let start = || Farewell { next: Box::pin(sleep(Farewell::PAUSE)), was_empty: bodies.is_empty() };
        let farewell = farewell.get_or_insert_with(start);
        loop {
            ready!(farewell.next.as_mut().poll(cx));
            let is_empty = bodies.is_empty();
            if farewell.was_empty && is_empty {
                return Poll::Ready(());
            }
            *farewell = Farewell { next: Box::pin(sleep(Farewell::PAUSE)), was_empty: is_empty };
        }
    }

    /// To be polled after the connection, which may have opened new bodies.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) {
        loop {
            if self.bodies.is_empty() {
                self.next = None;
                return;
            }
            // Twice in the time, so that no body is kept for much longer than that.
            let pause = self.time / 2;
            let next = self.next.get_or_insert_with(|| Box::pin(sleep(pause)));
            if next.as_mut().poll(cx).is_pending() {
                return;
            }
            self.next = None;
            self.bodies.sweep(self.time);
        }
    }
}

/// The service on one HTTP/2 connection.
pub(crate) struct MonitoredEndpoint {
    pub(crate) endpoint: Endpoint,
    pub(crate) bodies: OpenBodies,
}

impl hyper::service::Service<Request<Incoming>> for MonitoredEndpoint {
    type Response = Response<MonitoredBody>;
    type Error = std::convert::Infallible;
    type Future = MonitoredFuture;

    fn call(&self, request: Request<Incoming>) -> MonitoredFuture {
        let body = MonitoredBody { state: self.bodies.open(), bodies: self.bodies.clone() };
        MonitoredFuture { answering: self.endpoint.call(request), body: Some(body) }
    }
}

pin_project! {
    /// The future of a response whose body is monitored.
    pub(crate) struct MonitoredFuture {
        #[pin]
        answering: ResponseFuture<Incoming>,
        body: Option<MonitoredBody>,
    }
}

impl Future for MonitoredFuture {
    type Output = Result<Response<MonitoredBody>, std::convert::Infallible>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let response = ready!(this.answering.poll(cx))?;
        let monitored = this.body.take().expect("not polled after it was ready");
        Poll::Ready(Ok(response.map(|body| monitored.of(body))))
    }
}

/// A monitored body, until it is dropped.
///
/// **Its data is copied, in pieces**: hyper queues any data that it gets, of any length and for as long as the client likes, and a slice
/// would keep all of the bytes that it is a slice of.
pub(crate) struct MonitoredBody {
    state: Arc<BodyState>,
    bodies: OpenBodies,
}

/// Most bytes at once: as many as one DATA frame has.
const PIECE: usize = 16 * 1024;

impl MonitoredBody {
    fn of(self, body: ResponseBody) -> Self {
        *lock(&self.state.0) = Unsent { body: Some(body), rest: Bytes::new(), since: Some(Instant::now()) };
        self
    }
}

impl Body for MonitoredBody {
    type Data = Bytes;
    type Error = Stalled;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Stalled>>> {
        // Taken out while it is polled: polling may take a while, and the monitor must not wait for the lock.
        let Unsent { body, mut rest, .. } = mem::take(&mut *lock(&self.state.0));
        let Some(mut body) = body else { return Poll::Ready(Some(Err(Stalled))) };
        let given = if rest.is_empty() {
            next(&mut body, cx).map(|data| data.map(|data| begin(data, &mut rest)))
        } else {
            Poll::Ready(Some(piece(&mut rest)))
        };
        let given = given.map(|data| data.map(|data| Ok(Frame::data(data))));
        *lock(&self.state.0) = Unsent { body: Some(body), rest, since: given.is_ready().then(Instant::now) };
        given
    }

    fn is_end_stream(&self) -> bool {
        let unsent = lock(&self.state.0);
        unsent.rest.is_empty() && unsent.body.as_ref().is_some_and(ResponseBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        let unsent = lock(&self.state.0);
        let left = unsent.body.as_ref().map(ResponseBody::size_hint).unwrap_or_default();
        left.exact().map_or(left, |left| SizeHint::with_exact(left + unsent.rest.len() as u64))
    }
}

/// The next data of the body.
fn next(body: &mut ResponseBody, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
    let frame = ready!(Pin::new(body).poll_frame(cx));
    Poll::Ready(frame.map(|frame| {
        let Ok(frame) = frame;
        // There are no trailers.
        frame.into_data().unwrap_or_default()
    }))
}

/// All of the data if it is short, else its first piece; the rest is kept.
fn begin(data: Bytes, rest: &mut Bytes) -> Bytes {
    if data.len() <= PIECE {
        return data;
    }
    *rest = data;
    piece(rest)
}

/// The next piece. The last one is copied too, since a slice of it would keep the whole as well.
fn piece(rest: &mut Bytes) -> Bytes {
    let length = rest.len().min(PIECE);
    Bytes::copy_from_slice(&rest.split_to(length))
}

impl Drop for MonitoredBody {
    fn drop(&mut self) {
        self.bodies.close(&self.state);
    }
}

/// The client did not read the response in time.
#[derive(Debug)]
pub(crate) struct Stalled;

impl fmt::Display for Stalled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the client did not read the response in time")
    }
}

impl std::error::Error for Stalled {}

#[cfg(test)]
mod tests;
