//! One connection of the small server: which protocol it speaks, and how it ends.

use std::future::poll_fn;
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::task::{Poll, Waker};
use std::time::Duration;

use hyper::server::conn::{http1, http2};
use hyper_util::rt::TokioTimer;

use super::byte_stream::ByteStream;
use super::connection_options::ConnectionOptions;
use super::endpoint::Endpoint;
use super::pace::Pace;
use super::socket::Socket;
use super::stall_monitor::StallMonitor;
use super::stalled_body::{MonitoredEndpoint, OpenBodies, StreamExecutor};
use crate::capacity::Capacity;
use crate::deadline::LONGEST;
use crate::pipeline::STREAM_WINDOW;
use crate::telemetry::{self, Open};

/// Every HTTP/2 connection begins with it, and no HTTP/1 request does.
const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Between two pings of an HTTP/2 connection, and how long the reply may take.
const PING: Duration = Duration::from_secs(20);

/// Serves a connection until either side ends it. `peer`: the address of its other end, if it has one.
pub(crate) async fn serve_connection(
    stream: ByteStream,
    peer: Option<IpAddr>,
    endpoint: Endpoint,
    options: ConnectionOptions,
) {
    let endpoint = endpoint.of_connection(peer);
    let _open = Open::new(telemetry::CONNECTIONS);
    stream.tune();
    let shared = endpoint.shared().clone();
    let mut ended = pin!(shared.capacity.ended());
    let read_timeout = shared.options.read_timeout;
    let mut socket = Socket::new(stream, options.write_timeout, shared.capacity.clone());
    let opened = {
        let mut opening = pin!(socket.opens_with(PREFACE, options.idle_timeout, read_timeout));
        poll_fn(|cx| match ended.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(None),
            Poll::Pending => opening.as_mut().poll(cx).map(Result::ok),
        })
        .await
    };
    let served = match opened {
        None => return,
        Some(true) => {
            let bodies = OpenBodies::default();
            let monitor = StallMonitor::new(bodies.clone(), socket.writing().clone(), options);
            let connection =
                http2(options, bodies.clone()).serve_connection(socket, MonitoredEndpoint::new(endpoint, bodies));
            drive(connection, Some(monitor), &shared.capacity, ended).await
        }
        Some(false) => {
            let (arrival, capacity) = (socket.arrival().clone(), shared.capacity.clone());
            let pace = Pace { arrival, head: read_timeout, capacity };
            let endpoint = endpoint.with_watch(socket.client().clone());
            let connection = http1(options, pace).serve_connection(socket, endpoint);
            drive(connection, None, &shared.capacity, ended).await
        }
    };
    if let Err(error) = served {
        tracing::debug!(%error, "a connection ended early");
    }
}

fn http1(options: ConnectionOptions, pace: Pace) -> http1::Builder {
    let mut builder = http1::Builder::new();
    // The time to the first byte of a head; the timer itself keeps the time from there.
    builder
        .timer(pace)
        // hyper adds it to now, which must not overflow.
        .header_read_timeout(options.idle_timeout.min(LONGEST))
        .max_buf_size(options.max_header_bytes)
        // A client that sends no more may still read. Where it counts as gone, the socket ends the connection.
        .half_close(true);
    // No `pipeline_flush`: it holds a response back while a part of the next request has arrived, and loses rejections of heads.
    builder
}

fn http2(options: ConnectionOptions, bodies: OpenBodies) -> http2::Builder<StreamExecutor> {
    let mut builder = http2::Builder::new(StreamExecutor(bodies));
    builder
        .timer(TokioTimer::new())
        .keep_alive_interval(Some(PING))
        .keep_alive_timeout(PING)
        .max_concurrent_streams(128)
        .initial_stream_window_size(u32::try_from(STREAM_WINDOW).unwrap_or(u32::MAX))
        .max_header_list_size(u32::try_from(options.max_header_bytes).unwrap_or(u32::MAX))
        .max_send_buf_size(64 * 1024);
    builder
}

/// Polls a connection to its end. Once the service ends, or the connection had no request for too long, it takes no more requests.
async fn drive<C: Graceful>(
    connection: C,
    mut monitor: Option<StallMonitor>,
    capacity: &Capacity,
    mut ended: Pin<&mut impl Future<Output = ()>>,
) -> Result<(), hyper::Error> {
    let mut connection = pin!(connection);
    let mut ending = false;
    let mut polled_by = None;
    poll_fn(|cx| {
        // The signal is polled once for each waker, which is usually once in all; after that, checking a flag costs less.
        let is_polled = polled_by.as_ref().is_some_and(|waker: &Waker| waker.will_wake(cx.waker()));
        if !ending && (!is_polled || capacity.is_ending()) {
            polled_by = Some(cx.waker().clone());
            ending = ended.as_mut().poll(cx).is_ready();
            if ending {
                connection.as_mut().end();
                monitor.iter_mut().for_each(StallMonitor::hurry);
            }
        }
        let polled = connection.as_mut().poll(cx);
        let Some(monitor) = &mut monitor else { return polled };
        if monitor.poll(cx).is_ready() && !ending {
            ending = true;
            connection.as_mut().end();
            // To be polled again, which sends the end.
            cx.waker().wake_by_ref();
        }
        if polled.is_pending() && ending { monitor.poll_farewell(cx).map(Ok) } else { polled }
    })
    .await
}

/// A connection of either protocol.
trait Graceful: Future<Output = Result<(), hyper::Error>> {
    fn end(self: Pin<&mut Self>);
}

impl Graceful for http1::Connection<Socket, Endpoint> {
    fn end(self: Pin<&mut Self>) {
        self.graceful_shutdown();
    }
}

impl Graceful for http2::Connection<Socket, MonitoredEndpoint, StreamExecutor> {
    fn end(self: Pin<&mut Self>) {
        self.graceful_shutdown();
    }
}
