//! Answers on an HTTP/2 connection that their client does not take: **after the write timeout what they hold is let go.**
//!
//! A client of HTTP/2 can keep one stream from being written by giving it no window, while the connection is as alive as can be.
//! The socket's own timeout does not see that, and hyper does not ask a body that it has no window for. So each body is kept under
//! a lease, which the connection looks after: the body is dropped, and with it the bytes or the work behind it; should the client
//! ask for it after all, its stream is reset. The connection goes on: behind a proxy it carries other clients' streams too.
//! Not here: HTTP/1, where the socket's timeout sees the same.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use std::{fmt, mem};

use bytes::Bytes;
use http::{Request, Response};
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;
use pin_project_lite::pin_project;
use tokio::time::{Instant, Sleep, sleep};

use crate::body::ResponseBody;
use crate::future::ResponseFuture;
use crate::server::connection::Endpoint;

/// The bodies of one connection that are not sent to their ends.
#[derive(Clone, Default)]
pub(crate) struct Leases(Arc<Mutex<Vec<Arc<Slot>>>>);

/// One body.
#[derive(Default)]
struct Slot(Mutex<Lease>);

#[derive(Default)]
struct Lease {
    /// Until it is there, and again once it was let go.
    body: Option<ResponseBody>,
    /// Of the body, and longer than a piece.
    rest: Bytes,
    /// Since when the client could have taken what is there. `None` while the body has nothing.
    since: Option<Instant>,
}

impl Leases {
    fn open(&self) -> Arc<Slot> {
        let slot = Arc::<Slot>::default();
        lock(&self.0).push(slot.clone());
        slot
    }

    fn close(&self, slot: &Arc<Slot>) {
        lock(&self.0).retain(|other| !Arc::ptr_eq(other, slot));
    }

    /// Lets go of what was not taken for that long.
    fn sweep(&self, time: Duration) {
        let now = Instant::now();
        let stalled: Vec<Lease> = lock(&self.0).iter().filter_map(|slot| slot.let_go(now, time)).collect();
        // Without the lock: dropping them may run an author's code.
        if !stalled.is_empty() {
            tracing::debug!(answers = stalled.len(), "let go of answers that their clients do not take");
        }
    }

    fn is_empty(&self) -> bool {
        lock(&self.0).is_empty()
    }
}

impl Slot {
    fn let_go(&self, now: Instant, time: Duration) -> Option<Lease> {
        let mut lease = lock(&self.0);
        let is_over = lease.since.is_some_and(|since| now.saturating_duration_since(since) >= time);
        is_over.then(|| mem::take(&mut *lease))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Looks after the leases of a connection, as long as there are any.
pub(crate) struct Keeper {
    leases: Leases,
    time: Duration,
    next: Option<Pin<Box<Sleep>>>,
    farewell: Option<Farewell>,
}

/// How long a connection that is to end has had nothing under way.
struct Farewell {
    next: Pin<Box<Sleep>>,
    was_empty: bool,
}

impl Farewell {
    /// Between two looks. A client that answers does so in the time of a way there and back.
    const PAUSE: Duration = Duration::from_millis(500);
}

impl Keeper {
    pub(crate) fn new(leases: Leases, time: Duration) -> Self {
        Self { leases, time, next: None, farewell: None }
    }

    /// To be polled once the connection is to end. Ready when it had nothing under way at two looks: **it then waits for a client to say
    /// that it has heard of the end**, as HTTP/2 has it, and some never say so.
    pub(crate) fn poll_farewell(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Self { leases, farewell, .. } = self;
        let start = || Farewell { next: Box::pin(sleep(Farewell::PAUSE)), was_empty: leases.is_empty() };
        let farewell = farewell.get_or_insert_with(start);
        loop {
            ready!(farewell.next.as_mut().poll(cx));
            let is_empty = leases.is_empty();
            if farewell.was_empty && is_empty {
                return Poll::Ready(());
            }
            *farewell = Farewell { next: Box::pin(sleep(Farewell::PAUSE)), was_empty: is_empty };
        }
    }

    /// To be polled after the connection was: that is when there are new ones.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) {
        loop {
            if self.leases.is_empty() {
                self.next = None;
                return;
            }
            // Twice in the time, so that nothing is kept for much longer than it.
            let pause = self.time / 2;
            let next = self.next.get_or_insert_with(|| Box::pin(sleep(pause)));
            if next.as_mut().poll(cx).is_pending() {
                return;
            }
            self.next = None;
            self.leases.sweep(self.time);
        }
    }
}

/// The service on one HTTP/2 connection.
pub(crate) struct Leasing {
    pub(crate) endpoint: Endpoint,
    pub(crate) leases: Leases,
}

impl hyper::service::Service<Request<Incoming>> for Leasing {
    type Response = Response<Leased>;
    type Error = std::convert::Infallible;
    type Future = LeasedFuture;

    fn call(&self, request: Request<Incoming>) -> LeasedFuture {
        let lease = Leased { slot: self.leases.open(), leases: self.leases.clone() };
        LeasedFuture { answering: self.endpoint.call(request), lease: Some(lease) }
    }
}

pin_project! {
    /// The future of a response whose body is under a lease.
    pub(crate) struct LeasedFuture {
        #[pin]
        answering: ResponseFuture<Incoming>,
        lease: Option<Leased>,
    }
}

impl Future for LeasedFuture {
    type Output = Result<Response<Leased>, std::convert::Infallible>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let response = ready!(this.answering.poll(cx))?;
        let lease = this.lease.take().expect("not polled after it was ready");
        Poll::Ready(Ok(response.map(|body| lease.of(body))))
    }
}

/// A body under a lease, which it gives back when it is dropped.
///
/// **What it gives is copied, in pieces**: hyper queues whatever it is given, of any length and for as long as the client likes, and
/// a slice would keep all that it is a slice of.
pub(crate) struct Leased {
    slot: Arc<Slot>,
    leases: Leases,
}

/// Most bytes that are given at once: what one DATA frame has.
const PIECE: usize = 16 * 1024;

impl Leased {
    fn of(self, body: ResponseBody) -> Self {
        *lock(&self.slot.0) = Lease { body: Some(body), rest: Bytes::new(), since: Some(Instant::now()) };
        self
    }
}

impl Body for Leased {
    type Data = Bytes;
    type Error = Stalled;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Stalled>>> {
        // While it is polled it is nobody else's: what it polls may take its time.
        let Lease { body, mut rest, .. } = mem::take(&mut *lock(&self.slot.0));
        let Some(mut body) = body else { return Poll::Ready(Some(Err(Stalled))) };
        let given = if rest.is_empty() {
            next(&mut body, cx).map(|data| data.map(|data| begin(data, &mut rest)))
        } else {
            Poll::Ready(Some(piece(&mut rest)))
        };
        let given = given.map(|data| data.map(|data| Ok(Frame::data(data))));
        *lock(&self.slot.0) = Lease { body: Some(body), rest, since: given.is_ready().then(Instant::now) };
        given
    }

    fn is_end_stream(&self) -> bool {
        let lease = lock(&self.slot.0);
        lease.rest.is_empty() && lease.body.as_ref().is_some_and(ResponseBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        let lease = lock(&self.slot.0);
        let left = lease.body.as_ref().map(ResponseBody::size_hint).unwrap_or_default();
        left.exact().map_or(left, |left| SizeHint::with_exact(left + lease.rest.len() as u64))
    }
}

/// What the body has next.
fn next(body: &mut ResponseBody, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
    let frame = ready!(Pin::new(body).poll_frame(cx));
    Poll::Ready(frame.map(|frame| {
        let Ok(frame) = frame;
        // There are no trailers.
        frame.into_data().unwrap_or_default()
    }))
}

/// All of it if it is short, else its first piece; the remainder is kept.
fn begin(data: Bytes, rest: &mut Bytes) -> Bytes {
    if data.len() <= PIECE {
        return data;
    }
    *rest = data;
    piece(rest)
}

/// The next piece. The last one is copied too: it would keep the whole as well.
fn piece(rest: &mut Bytes) -> Bytes {
    let length = rest.len().min(PIECE);
    Bytes::copy_from_slice(&rest.split_to(length))
}

impl Drop for Leased {
    fn drop(&mut self) {
        self.leases.close(&self.slot);
    }
}

/// The client did not take the answer in time.
#[derive(Debug)]
pub(crate) struct Stalled;

impl fmt::Display for Stalled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the client did not take the answer in time")
    }
}

impl std::error::Error for Stalled {}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::task::Waker;

    use http_body_util::{BodyExt, Empty};
    use hyper::server::conn::http2;
    use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};

    use super::*;

    const TIME: Duration = Duration::from_secs(30);

    /// Bytes that are seen to go.
    struct Held {
        bytes: Vec<u8>,
        _alive: Arc<()>,
    }

    impl AsRef<[u8]> for Held {
        fn as_ref(&self) -> &[u8] {
            &self.bytes
        }
    }

    fn leased(leases: &Leases, length: usize, alive: &Arc<()>) -> Leased {
        let held = Held { bytes: (0..length).map(|at| at.to_le_bytes()[1]).collect(), _alive: alive.clone() };
        Leased { slot: leases.open(), leases: leases.clone() }.of(ResponseBody::fixed([Bytes::from_owner(held)]))
    }

    fn task() -> Context<'static> {
        Context::from_waker(Waker::noop())
    }

    fn frame(leased: &mut Leased) -> Poll<Option<Result<Frame<Bytes>, Stalled>>> {
        Pin::new(leased).poll_frame(&mut task())
    }

    #[tokio::test(start_paused = true)]
    async fn w5_14_what_is_not_taken_in_time_is_let_go() {
        let (leases, alive) = (Leases::default(), Arc::new(()));
        let mut keeper = Keeper::new(leases.clone(), TIME);
        let mut stalled = leased(&leases, 4, &alive);
        let mut taken = leased(&leases, 4, &Arc::default());
        assert!(matches!(frame(&mut taken), Poll::Ready(Some(Ok(_)))));
        for seconds in [0, 16, 13] {
            tokio::time::advance(Duration::from_secs(seconds)).await;
            keeper.poll(&mut task());
            assert_eq!(Arc::strong_count(&alive), 2, "it has its time");
        }
        tokio::time::advance(TIME).await;
        keeper.poll(&mut task());
        assert_eq!(Arc::strong_count(&alive), 1, "let go");
        assert!(matches!(frame(&mut stalled), Poll::Ready(Some(Err(Stalled)))));
        drop((stalled, taken));
        keeper.poll(&mut task());
        assert!(leases.is_empty() && keeper.next.is_none(), "nothing is left to look after");
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_has_nothing_waits_for_no_client() {
        let leases = Leases::default();
        let quiet = leased(&leases, 4, &Arc::default());
        lock(&quiet.slot.0).since = None;
        tokio::time::advance(Duration::from_secs(3600)).await;
        leases.sweep(TIME);
        assert!(lock(&quiet.slot.0).body.is_some());
    }

    /// A connection on which one answer of a mebibyte is asked for, by a client with this much of a window; what holds the answer.
    async fn asked(window: u32) -> (Response<Incoming>, Arc<()>) {
        let (leases, alive) = (Leases::default(), Arc::new(()));
        let (near, far) = tokio::io::duplex(64 * 1024);
        let (kept, held) = (leases.clone(), alive.clone());
        let service = hyper::service::service_fn(move |_| {
            let body = leased(&leases, 1024 * 1024, &held);
            async move { Ok::<_, Infallible>(Response::new(body)) }
        });
        tokio::spawn(async move {
            let mut connection = std::pin::pin!(
                http2::Builder::new(TokioExecutor::new())
                    .timer(TokioTimer::new())
                    .serve_connection(TokioIo::new(near), service)
            );
            let mut keeper = Keeper::new(kept, TIME);
            std::future::poll_fn(|cx| {
                let polled = connection.as_mut().poll(cx);
                keeper.poll(cx);
                polled
            })
            .await
        });
        let mut builder = hyper::client::conn::http2::Builder::new(TokioExecutor::new());
        builder.initial_stream_window_size(window);
        let (mut sender, connection) = builder.handshake(TokioIo::new(far)).await.expect("an HTTP/2 server");
        tokio::spawn(connection);
        let answer = sender.send_request(Request::new(Empty::<Bytes>::new())).await.expect("an answer");
        (answer, alive)
    }

    /// Lets time pass, and both ends do what they have to in it.
    async fn pass(time: Duration) {
        for _ in 0..time.as_secs() {
            tokio::time::advance(Duration::from_secs(1)).await;
            for _ in 0..20 {
                tokio::task::yield_now().await;
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn w5_14_a_client_that_gives_no_window_holds_up_nothing_but_itself() {
        for window in [0, 1, 1000, 40_000] {
            let (answer, alive) = asked(window).await;
            pass(TIME / 3).await;
            assert!(Arc::strong_count(&alive) > 2, "a window of {window}: it has its time");
            pass(TIME * 2).await;
            // The service's own, and the one here.
            assert_eq!(Arc::strong_count(&alive), 2, "a window of {window}");
            drop(answer);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn w5_14_the_end_of_an_answer_keeps_no_more_than_itself() {
        let (_answer, alive) = asked(1024 * 1024 - 10).await;
        pass(TIME / 3).await;
        assert_eq!(Arc::strong_count(&alive), 2, "ten bytes wait for the window, and not the whole");
    }

    #[tokio::test(start_paused = true)]
    async fn w5_14_an_answer_that_is_taken_arrives_whole() {
        let (answer, _) = asked(1000).await;
        let body = answer.into_body().collect().await.expect("all of it").to_bytes();
        let expected: Vec<u8> = (0..1024 * 1024_usize).map(|at| at.to_le_bytes()[1]).collect();
        assert_eq!(body.len(), expected.len());
        assert!(body == expected);
    }
}
