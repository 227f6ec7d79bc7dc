//! Mounted in an axum application: beside its routes, under its middleware, with its state.
//!
//! ```sh
//! cargo run --example axum              # http://127.0.0.1:8787/ and /mcp
//! cargo run --example axum -- 127.0.0.1:9000
//! ```

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::X_CONTENT_TYPE_OPTIONS;
use axum::middleware::map_response;
use axum::response::Response;
use axum::routing::get;
use grange::http::{HttpService, shutdown_signal};
use grange::{BuildError, Server, resource};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// Stands for a pool of two database connections, which the pages and the readers share.
#[derive(Clone)]
struct Pool(Arc<Semaphore>);

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let addr = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:8787".to_owned());
    let pool = Pool(Arc::new(Semaphore::new(2)));
    let mcp = HttpService::new(documentation(pool.clone())?);
    let streams = mcp.clone();
    let app = Router::new()
        .route("/", get(home))
        .nest_service("/mcp", mcp)
        .layer(map_response(no_sniffing)) // Added last, so that it wraps all routes.
        .with_state(pool);

    let listener = TcpListener::bind(addr).await?;
    eprintln!("serving on http://{}/mcp", listener.local_addr()?);
    let signal = shutdown_signal()?;
    let asked_to_end = async move {
        signal.await;
        // A held stream does not end by itself: the application would wait for it.
        streams.end_streams();
    };
    axum::serve(listener, app).with_graceful_shutdown(asked_to_end).await?;
    Ok(())
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

async fn home(State(pool): State<Pool>) -> String {
    format!("{} of 2 connections are free\n", pool.0.available_permits())
}

async fn no_sniffing(mut response: Response) -> Response {
    response.headers_mut().insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
