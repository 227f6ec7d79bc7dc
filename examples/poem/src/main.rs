//! Mounted in a poem application: beside its routes, under its middleware, with its state.
//!
//! ```sh
//! cargo run -p example-poem          # http://127.0.0.1:8787/ and /mcp
//! cargo run -p example-poem -- 127.0.0.1:9000
//! ```
//!
//! poem's server (3.1.12) goes on with a request after its client has disconnected: a reader then runs to its end, or until the time of
//! `Limits` is over, and a held stream ends with its next comment.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use grange::http::{HttpService, shutdown_signal};
use grange::{BuildError, Server, resource};
use http_body::Body as _;
use http_body_util::{BodyDataStream, BodyExt};
use poem::endpoint::make_sync;
use poem::http::header::{CONTENT_LENGTH, X_CONTENT_TYPE_OPTIONS};
use poem::listener::TcpAcceptor;
use poem::middleware::SetHeader;
use poem::{Body, Endpoint, EndpointExt, Request, Response, Route, get, http};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tower_service::Service;

/// How long the shutdown waits for requests in flight.
const GRACE: Duration = Duration::from_secs(10);

/// Stands for a pool of two database connections, which the pages and the readers share.
#[derive(Clone)]
struct Pool(Arc<Semaphore>);

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let addr = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:8787".to_owned());
    let pool = Pool(Arc::new(Semaphore::new(2)));
    let mcp = HttpService::new(documentation(pool.clone())?);
    let streams = mcp.clone();
    let app = Route::new()
        .at("/", get(make_sync(move |_| home(&pool))))
        .nest("/mcp", Mcp(mcp))
        .with(SetHeader::new().overriding(X_CONTENT_TYPE_OPTIONS, "nosniff"));

    let listener = TcpListener::bind(addr).await?;
    eprintln!("serving on http://{}/mcp", listener.local_addr()?);
    let signal = shutdown_signal()?;
    let asked_to_end = async move {
        signal.await;
        // A held stream does not end by itself: the application would wait for it.
        streams.end_streams();
    };
    let server = poem::Server::new_with_acceptor(TcpAcceptor::from_tokio(listener)?);
    server.run_with_graceful_shutdown(app, asked_to_end, Some(GRACE)).await?;
    Ok(())
}

/// The service as an endpoint. poem's own `compat` does the same, but loses the length of a response.
struct Mcp(HttpService);

impl Endpoint for Mcp {
    type Output = Response;

    async fn call(&self, request: Request) -> poem::Result<Response> {
        let request: http::Request<_> = request.into();
        let (mut head, body) = self.0.clone().call(request).await?.into_parts();
        // The body below is a stream, which has no length.
        head.headers.extend(body.size_hint().exact().map(|length| (CONTENT_LENGTH, length.into())));
        let frames = BodyDataStream::new(body.map_err(|never| -> io::Error { match never {} }));
        let mut response = Response::builder().status(head.status).body(Body::from_bytes_stream(frames));
        *response.headers_mut() = head.headers;
        Ok(response)
    }
}

fn home(pool: &Pool) -> String {
    format!("{} of 2 connections are free\n", pool.0.available_permits())
}

fn documentation(pool: Pool) -> Result<Server, BuildError> {
    let guide = resource! {
        uri: "docs://getting-started",
        name: "getting-started",
        mime_type: "text/markdown",
        text: "# Getting started\n",
    };
    let sales = resource! {
        uri: "reports://sales",
        name: "sales",
        mime_type: "text/plain",
        read: |cx| async move {
            let pool = cx.get::<Pool>().await?;
            let _connection = pool.0.acquire().await?;
            // Stands for a slow query. If the client disconnects, it ends here, and the connection is free again.
            tokio::time::sleep(Duration::from_secs(5)).await;
            Ok("Sales are 200 in all.\n")
        },
    };
    Server::builder("documentation", "1.0.0").provide_value(pool).resources([guide, sales]).build()
}
