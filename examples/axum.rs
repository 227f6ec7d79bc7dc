//! Mounted in an axum application beside its other routes.
//!
//! ```sh
//! cargo run --example axum              # http://127.0.0.1:8787/ and /mcp
//! ```

use axum::Router;
use axum::routing::get;
use grange::{ServeHttp, Server, resource};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let guide = resource! {
        uri: "docs://getting-started",
        name: "getting-started",
        mime_type: "text/markdown",
        text: "# Getting started\n",
    };
    let server = Server::builder("documentation", "1.0.0").resource(guide).build()?;

    let mcp = server.http_service();
    let streams = mcp.clone();
    let app = Router::new().route("/", get(|| async { "home" })).nest_service("/mcp", mcp);

    let listener = tokio::net::TcpListener::bind("127.0.0.1:8787").await?;
    eprintln!("serving on http://{}/mcp", listener.local_addr()?);
    let interrupted = async move {
        // Without an end, a held stream would keep the application from stopping.
        let _ = tokio::signal::ctrl_c().await;
        streams.end_streams();
    };
    axum::serve(listener, app).with_graceful_shutdown(interrupted).await?;
    Ok(())
}
