//! One connection of the small server: which protocol it speaks, the path, and how it ends.

use std::convert::Infallible;
use std::future::poll_fn;
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Poll, Waker};
use std::time::Duration;

use http::{Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tokio::net::TcpStream;

use crate::body::ResponseBody;
use crate::capacity::Places;
use crate::config::ConnectionOptions;
use crate::future::ResponseFuture;
use crate::metadata::MetadataService;
use crate::server::pace::Pace;
use crate::server::socket::Socket;
use crate::server::stalled_body::{Keeper, Leases, Leasing};
use crate::service::HttpService;
use crate::telemetry::{self, Open};

/// What every HTTP/2 connection opens with, and no HTTP/1 request does.
const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The service at its path.
#[derive(Clone)]
pub(crate) struct Endpoint {
    service: HttpService,
    /// Whether the connection is a trusted proxy's.
    proxied: bool,
    /// Without a slash at its end.
    path: Arc<str>,
    /// The document for clients without a token, and its paths.
    metadata: Option<Arc<(Vec<String>, MetadataService)>>,
}

impl Endpoint {
    pub(crate) fn new(service: HttpService, path: &str) -> Self {
        let authenticator = service.shared().options.authenticator.as_ref();
        let metadata = authenticator.and_then(|authenticator| authenticator.0.metadata());
        let metadata = metadata.map(|metadata| Arc::new((metadata.paths, MetadataService::new(metadata.body))));
        Self { service, proxied: false, path: path.strip_suffix('/').unwrap_or(path).into(), metadata }
    }

    /// The same for one connection, whose other end is this.
    fn of_connection(self, peer: IpAddr) -> Self {
        let proxied = self.service.shared().options.proxies.trust(peer);
        Self { proxied, ..self }
    }

    fn serves(&self, path: &str) -> bool {
        path.strip_suffix('/').unwrap_or(path) == &*self.path
    }
}

impl hyper::service::Service<Request<Incoming>> for Endpoint {
    type Response = Response<ResponseBody>;
    type Error = Infallible;
    type Future = ResponseFuture<Incoming>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        if self.serves(request.uri().path()) {
            return self.service.respond(request, self.proxied);
        }
        if let Some((paths, metadata)) = self.metadata.as_deref()
            && paths.iter().any(|path| path == request.uri().path())
        {
            return ResponseFuture::answered(metadata.answer(&request));
        }
        let served = if self.path.is_empty() { "/" } else { &self.path };
        self.service.respond_elsewhere(request, self.proxied, served)
    }
}

/// Serves a connection until either side ends it.
pub(crate) async fn serve_connection(stream: TcpStream, peer: IpAddr, endpoint: Endpoint, options: ConnectionOptions) {
    let endpoint = endpoint.of_connection(peer);
    let _open = Open::new(telemetry::CONNECTIONS);
    // Answers leave at once; a socket that cannot do that still works.
    let _ = stream.set_nodelay(true);
    let shared = endpoint.service.shared().clone();
    let mut ended = pin!(shared.places.ended());
    let read_timeout = shared.options.read_timeout;
    let mut socket = Socket::new(stream, options.write_timeout);
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
            let leases = Leases::default();
            let keeper = Keeper::new(leases.clone(), options.write_timeout);
            let connection = http2(options).serve_connection(socket, Leasing { endpoint, leases });
            drive(connection, Some(keeper), &shared.places, ended).await
        }
        Some(false) => {
            let (arrival, places) = (socket.arrival().clone(), shared.places.clone());
            let pace = Pace { arrival, idle: options.idle_timeout, head: read_timeout, places };
            let connection = http1(options, pace).serve_connection(socket, endpoint);
            drive(connection, None, &shared.places, ended).await
        }
    };
    if let Err(error) = served {
        tracing::debug!(%error, "a connection ended early");
    }
}

fn http1(options: ConnectionOptions, pace: Pace) -> http1::Builder {
    let mut builder = http1::Builder::new();
    // The timer has its own times, and is made only where there is one to give.
    builder.timer(pace).header_read_timeout(Duration::ZERO).max_buf_size(options.max_header_bytes);
    // No `pipeline_flush`: it keeps an answer back while a part of the next request is there, and loses refusals of heads.
    builder
}

fn http2(options: ConnectionOptions) -> http2::Builder<TokioExecutor> {
    let mut builder = http2::Builder::new(TokioExecutor::new());
    builder
        .timer(TokioTimer::new())
        .keep_alive_interval(Some(Duration::from_secs(20)))
        .keep_alive_timeout(Duration::from_secs(20))
        .max_concurrent_streams(128)
        .max_header_list_size(u32::try_from(options.max_header_bytes).unwrap_or(u32::MAX))
        .max_send_buf_size(64 * 1024);
    builder
}

/// Polls a connection to its end; once the service ends, asks it to take no more requests.
async fn drive<C: Graceful>(
    connection: C,
    mut keeper: Option<Keeper>,
    places: &Places,
    mut ended: Pin<&mut impl Future<Output = ()>>,
) -> Result<(), hyper::Error> {
    let mut connection = pin!(connection);
    let mut ending = false;
    let mut told = None;
    poll_fn(|cx| {
        // The signal is asked once for each waker, which is to say once; from then on a flag costs less.
        let asked = told.as_ref().is_some_and(|waker: &Waker| waker.will_wake(cx.waker()));
        if !ending && (!asked || places.is_ending()) {
            told = Some(cx.waker().clone());
            ending = ended.as_mut().poll(cx).is_ready();
            if ending {
                connection.as_mut().end();
            }
        }
        let polled = connection.as_mut().poll(cx);
        let Some(keeper) = &mut keeper else { return polled };
        keeper.poll(cx);
        if polled.is_pending() && ending { keeper.poll_farewell(cx).map(Ok) } else { polled }
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

impl Graceful for http2::Connection<Socket, Leasing, TokioExecutor> {
    fn end(self: Pin<&mut Self>) {
        self.graceful_shutdown();
    }
}
