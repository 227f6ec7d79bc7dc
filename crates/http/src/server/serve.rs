//! Serving on an open address: connections are accepted until the server is to end, and the end waits for requests in flight.

use std::future::{pending, poll_fn};
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;

use grange_core::{Error, Server, Transport};
use tokio::task::JoinSet;
use tokio::time::{Sleep, sleep, timeout};

use super::bind::Bound;
use super::byte_stream::ByteStream;
use super::connection::serve_connection;
use super::endpoint::Endpoint;
use super::listener::OpenListener;
use super::open::remedy;
use super::settings::{Http, Shutdown};
use crate::service::HttpService;

impl Transport for Http {
    async fn serve(mut self, server: Server) -> Result<(), Error> {
        let shutdown = self.target.shutdown.take();
        // Until this returns, an error of `bind` included: no log line may wait for the reader of standard error.
        let _stderr = grange_process::guard_stderr()?;
        // Before the address is announced: a process that reads it may send the signal at once.
        let signal = grange_process::shutdown_signal()?;
        let bound = self.bind().await?;
        bound
            .serve_until(server, async move {
                let mut signal = pin!(signal);
                let mut shutdown = pin!(resolved(shutdown));
                poll_fn(|cx| match signal.as_mut().poll(cx) {
                    Poll::Ready(()) => Poll::Ready(()),
                    Poll::Pending => shutdown.as_mut().poll(cx),
                })
                .await;
            })
            .await
    }
}

async fn resolved(shutdown: Option<Shutdown>) {
    match shutdown {
        Some(shutdown) => shutdown.await,
        None => pending().await,
    }
}

impl Bound {
    /// Serves until the future given to [`HttpConfig::shutdown`](crate::HttpConfig::shutdown) ends; without one, for ever. Unlike
    /// [`Server::listen`] it leaves the signals of the process alone.
    ///
    /// Standard error is guarded meanwhile: no write to it waits for its reader.
    ///
    /// # Errors
    /// [`Error::Io`] from the system, such as too many open files. What goes wrong on one connection ends that connection.
    pub async fn serve(mut self, server: Server) -> Result<(), Error> {
        let _stderr = grange_process::guard_stderr()?;
        let shutdown = resolved(self.shutdown.take());
        self.serve_until(server, shutdown).await
    }

    async fn serve_until(self, server: Server, shutdown: impl Future<Output = ()>) -> Result<(), Error> {
        let Self { listener, options, path, connections: connection_options, .. } = self;
        let grace = server.limits().shutdown_grace;
        let service = HttpService::with(server, options);
        let endpoint = Endpoint::new(service.clone(), &path);
        let mut connections = JoinSet::new();
        let mut shutdown = pin!(shutdown);
        while let Some((stream, peer)) =
            accept(&listener, &mut connections, connection_options.max_connections, shutdown.as_mut()).await
        {
            connections.spawn(serve_connection(stream, peer, endpoint.clone(), connection_options));
        }
        drop(listener);
        service.end_streams();
        let finished = async {
            while connections.join_next().await.is_some() {}
            // Jobs that go on after their client has gone.
            service.shared().capacity.idle().await;
        };
        if timeout(grace, finished).await.is_err() {
            tracing::warn!(open = connections.len(), "shut down with requests in flight: the grace period is over");
        }
        if let Some(sessions) = &service.shared().sessions {
            sessions.end();
        }
        Ok(())
    }
}

/// The next connection, or `None` when the server is to shut down.
async fn accept(
    listener: &OpenListener,
    connections: &mut JoinSet<()>,
    limit: usize,
    mut shutdown: Pin<&mut impl Future<Output = ()>>,
) -> Option<(ByteStream, Option<IpAddr>)> {
    /// Between two attempts while the system cannot accept a connection.
    const PAUSE: Duration = Duration::from_millis(100);
    let mut pause = pin!(None::<Sleep>);
    poll_fn(|cx| {
        if shutdown.as_mut().poll(cx).is_ready() {
            return Poll::Ready(None);
        }
        loop {
            while let Poll::Ready(Some(_)) = connections.poll_join_next(cx) {}
            if connections.len() >= limit {
                return Poll::Pending;
            }
            if let Some(paused) = pause.as_mut().as_pin_mut() {
                std::task::ready!(paused.poll(cx));
                pause.set(None);
            }
            match std::task::ready!(listener.poll_accept(cx)) {
                Ok(accepted) => return Poll::Ready(Some(accepted)),
                Err(error) => {
                    tracing::warn!(%error, remedy = remedy(&error), "a connection could not be accepted");
                    pause.set(Some(sleep(PAUSE)));
                }
            }
        }
    })
    .await
}
