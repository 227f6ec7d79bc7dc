//! Mounted in a plain hyper application: beside its routes, with its state. The service takes any request body.
//!
//! ```sh
//! cargo run --example hyper             # http://127.0.0.1:8787/ and /mcp
//! cargo run --example hyper -- 127.0.0.1:9000
//! ```

use std::convert::Infallible;
use std::error::Error;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use grange::http::{HttpService, shutdown_signal};
use grange::{BuildError, Server, resource};
use http_body_util::{Either, Full};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{HeaderValue, X_CONTENT_TYPE_OPTIONS};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tower_service::Service;

/// How long the shutdown waits for requests in flight.
const GRACE: Duration = Duration::from_secs(10);

/// Stands for a pool of two database connections, which the pages and the readers share.
#[derive(Clone)]
struct Pool(Arc<Semaphore>);

#[derive(Clone)]
struct App {
    mcp: HttpService,
    pool: Pool,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let addr = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:8787".to_owned());
    let pool = Pool(Arc::new(Semaphore::new(2)));
    let app = App { mcp: HttpService::new(documentation(pool.clone())?), pool };

    let listener = TcpListener::bind(addr).await?;
    eprintln!("serving on http://{}/mcp", listener.local_addr()?);
    let connections = GracefulShutdown::new();
    let mut asked_to_end = pin!(shutdown_signal()?);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut asked_to_end => break,
        };
        match accepted {
            Ok((stream, _)) => serve(stream, app.clone(), &connections),
            Err(error) => {
                eprintln!("no connection accepted: {error}");
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
    drop(listener);
    // A held stream does not end by itself: its connection would not close.
    app.mcp.end_streams();
    if timeout(GRACE, connections.shutdown()).await.is_err() {
        eprintln!("some requests did not end within {GRACE:?}");
    }
    Ok(())
}

fn serve(stream: TcpStream, app: App, connections: &GracefulShutdown) {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()); // Without a timer, a head may take any time to arrive.
    let service = service_fn(move |request| route(request, app.clone()));
    let connection = builder.serve_connection(TokioIo::new(stream), service).into_owned();
    let connection = connections.watch(connection);
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            eprintln!("a connection failed: {error}");
        }
    });
}

async fn route(
    request: Request<Incoming>,
    mut app: App,
) -> Result<Response<impl Body<Data = Bytes, Error = Box<dyn Error + Send + Sync>>>, Infallible> {
    let mut response = match request.uri().path() {
        "/mcp" | "/mcp/" => app.mcp.call(request).await?.map(Either::Left),
        "/" => page(StatusCode::OK, home(&app.pool)).map(Either::Right),
        _ => page(StatusCode::NOT_FOUND, "not found\n".to_owned()).map(Either::Right),
    };
    response.headers_mut().insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    Ok(response)
}

fn page(status: StatusCode, text: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(text.into());
    *response.status_mut() = status;
    response
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
