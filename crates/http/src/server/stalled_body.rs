//! Response bodies on an HTTP/2 connection that their client stopped reading: **after the write timeout they are dropped, and their
//! streams are reset**. Also how long a connection has had none.
//!
//! A client of HTTP/2 can stop one stream by giving it no window, while the connection itself goes on. The write timeout of the socket
//! does not notice that, and hyper does not poll a body for which it has no window. So each body is registered with its connection,
//! which monitors it: a stalled body is dropped, and with it the bytes or the job behind it. Then the task of its stream is ended, which
//! makes h2 reset the stream and free what it has queued. The connection goes on: behind a proxy it carries other clients' streams too.
//! Not here: HTTP/1, where the timeout of the socket does the same.

use std::pin::Pin;
use std::sync::{Arc, Mutex, OnceLock};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use std::{fmt, mem};

use bytes::Bytes;
use http::{Request, Response};
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;
use pin_project_lite::pin_project;
use tokio::task::AbortHandle;
use tokio::time::Instant;

use super::endpoint::Endpoint;
use crate::byte_budget::{Account, Held, OfConnection};
use crate::future::ResponseFuture;
use crate::lock::lock;
use crate::rejection::Rejection;
use crate::response::ResponseBody;

/// The bodies of one connection that were not sent to their ends.
#[derive(Clone)]
pub(crate) struct OpenBodies(Arc<Mutex<Open>>);

struct Open {
    states: Vec<Arc<BodyState>>,
    /// The one whose task is about to start.
    newest: Option<Arc<BodyState>>,
    /// When the last one was closed.
    emptied: Instant,
}

/// The place of one body.
#[derive(Default)]
struct BodyState {
    unsent: Mutex<Unsent>,
    /// The task that sends it.
    task: OnceLock<AbortHandle>,
}

/// What is left of a body.
#[derive(Default)]
struct Unsent {
    /// `None` before there is a response, and once the body was dropped.
    body: Option<ResponseBody>,
    /// The rest of the body's last bytes, which were longer than a piece.
    rest: Bytes,
    /// Since when the client could have read more. `None` while the body has nothing to send.
    since: Option<Instant>,
    /// Counts a small body.
    held: Option<Held>,
}

impl OpenBodies {
    fn open(&self) -> Arc<BodyState> {
        let state = Arc::<BodyState>::default();
        let mut open = lock(&self.0);
        open.states.push(state.clone());
        open.newest = Some(state.clone());
        state
    }

    /// hyper starts the task of a stream right after the service was called for it.
    fn start(&self, task: AbortHandle) {
        if let Some(state) = lock(&self.0).newest.take() {
            let _ = state.task.set(task);
        }
    }

    fn close(&self, state: &Arc<BodyState>) {
        let mut open = lock(&self.0);
        open.states.retain(|other| !Arc::ptr_eq(other, state));
        if open.states.is_empty() {
            open.emptied = Instant::now();
        }
    }

    /// Drops the bodies that were not read for that long.
    pub(crate) fn sweep(&self, time: Duration) {
        let now = Instant::now();
        let stalled: Vec<_> = lock(&self.0).states.iter().filter_map(|state| state.take_stalled(now, time)).collect();
        for task in stalled.iter().filter_map(|(_, task)| task.as_ref()) {
            task.abort();
        }
        // Dropped without the lock: this may run an author's code.
        if !stalled.is_empty() {
            tracing::debug!(answers = stalled.len(), "dropped responses that clients stopped reading");
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        lock(&self.0).states.is_empty()
    }

    /// Since when there is none.
    pub(crate) fn empty_since(&self) -> Option<Instant> {
        let open = lock(&self.0);
        open.states.is_empty().then_some(open.emptied)
    }
}

impl Default for OpenBodies {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Open { states: Vec::new(), newest: None, emptied: Instant::now() })))
    }
}

impl BodyState {
    fn take_stalled(&self, now: Instant, time: Duration) -> Option<(Unsent, Option<AbortHandle>)> {
        let mut unsent = lock(&self.unsent);
        let is_over = unsent.since.is_some_and(|since| now.saturating_duration_since(since) >= time);
        is_over.then(|| (mem::take(&mut *unsent), self.task.get().cloned()))
    }
}

/// Starts the tasks of a connection's streams.
#[derive(Clone)]
pub(crate) struct StreamExecutor(pub(crate) OpenBodies);

impl<F> hyper::rt::Executor<F> for StreamExecutor
where
    F: Future + Send + 'static,
    F::Output: Send,
{
    fn execute(&self, stream: F) {
        self.0.start(tokio::spawn(stream).abort_handle());
    }
}

/// The service on one HTTP/2 connection.
pub(crate) struct MonitoredEndpoint {
    endpoint: Endpoint,
    bodies: OpenBodies,
    account: Account,
}

impl MonitoredEndpoint {
    pub(crate) fn new(endpoint: Endpoint, bodies: OpenBodies) -> Self {
        let account = endpoint.shared().account_of_connection();
        Self { endpoint, bodies, account }
    }
}

impl hyper::service::Service<Request<Incoming>> for MonitoredEndpoint {
    type Response = Response<MonitoredBody>;
    type Error = std::convert::Infallible;
    type Future = MonitoredFuture;

    fn call(&self, mut request: Request<Incoming>) -> MonitoredFuture {
        let account = self.account.clone();
        if let Some(connection) = &account.connection {
            request.extensions_mut().insert(OfConnection(connection.clone()));
        }
        let body = MonitoredBody { state: self.bodies.open(), bodies: self.bodies.clone(), account };
        MonitoredFuture { answering: self.endpoint.call_http2(request), body: Some(body) }
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
        let mut response = ready!(this.answering.poll(cx))?;
        let monitored = this.body.take().expect("not polled after it was ready");
        let held = monitored.account.hold_small(response.body());
        let held = held.map_err(|limit| response = Rejection::NoRoom(limit).into_response()).ok();
        Poll::Ready(Ok(response.map(|body| monitored.of(body, held))))
    }
}

/// A monitored body, until it is dropped.
///
/// **Its data is copied, in pieces**: hyper queues any data that it gets, of any length and for as long as the client likes, and a slice
/// would keep all of the bytes that it is a slice of.
pub(crate) struct MonitoredBody {
    state: Arc<BodyState>,
    bodies: OpenBodies,
    account: Account,
}

/// Most bytes at once: as many as one DATA frame has.
const PIECE: usize = 16 * 1024;

/// Not worth a frame more.
const SHORT: usize = 256;

impl MonitoredBody {
    fn of(self, body: ResponseBody, held: Option<Held>) -> Self {
        let (rest, since) = (Bytes::new(), Some(Instant::now()));
        *lock(&self.state.unsent) = Unsent { body: Some(body), rest, since, held };
        self
    }
}

impl Body for MonitoredBody {
    type Data = Bytes;
    type Error = Stalled;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Stalled>>> {
        // Taken out while it is polled: polling may take a while, and the monitor must not wait for the lock.
        let Unsent { body, mut rest, held, .. } = mem::take(&mut *lock(&self.state.unsent));
        let Some(mut body) = body else { return Poll::Ready(Some(Err(Stalled))) };
        let given = if rest.is_empty() {
            next(&mut body, cx).map(|data| data.map(|data| begin(data, &mut rest)))
        } else {
            Poll::Ready(Some(piece(&mut rest)))
        };
        let given = given.map(|data| data.map(|data| Ok(Frame::data(data))));
        *lock(&self.state.unsent) = Unsent { body: Some(body), rest, since: given.is_ready().then(Instant::now), held };
        given
    }

    fn is_end_stream(&self) -> bool {
        let unsent = lock(&self.state.unsent);
        unsent.rest.is_empty() && unsent.body.as_ref().is_some_and(ResponseBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        let unsent = lock(&self.state.unsent);
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
    if data.len() <= SHORT {
        return data;
    }
    *rest = data;
    piece(rest)
}

/// The next piece. The last one is copied too, since a slice of it would keep the whole as well.
///
/// **The last byte comes by itself.** h2 takes any piece for which the client has given a window of one byte, and hyper leaves the stream
/// to h2 with the last one. A last piece of one byte is taken only when there is a window for all before it, so that a stream that waits
/// for its window is still monitored.
fn piece(rest: &mut Bytes) -> Bytes {
    let length = match rest.len() {
        short @ ..=SHORT => short,
        longer => (longer - 1).min(PIECE),
    };
    let given = Bytes::copy_from_slice(&rest.split_to(length));
    if rest.len() <= SHORT {
        *rest = Bytes::copy_from_slice(rest);
    }
    given
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
