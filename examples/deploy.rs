//! A server as it is deployed: its address, its public host and the trusted proxy are arguments.
//!
//! ```sh
//! cargo run --example deploy -- --http 127.0.0.1:8787 --public-host mcp.example.com --trusted-proxy 127.0.0.1
//! ```
//!
//! The folder `examples/deploy` has a configuration of nginx and a Kubernetes manifest for it.

use std::time::Duration;

use axum::http::request::Parts;
use grange::http::ForwardedOrigin;
use grange::{Server, http, resource};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::format::FmtSpan;

#[tokio::main]
async fn main() -> grange::Result<()> {
    // A line for each request at its end, and for each rejection, on standard error, which the supervisor collects.
    let filter = EnvFilter::builder().with_default_directive(LevelFilter::INFO.into()).from_env_lossy();
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_span_events(FmtSpan::CLOSE);
    log.with_ansi(false).with_writer(std::io::stderr).init();
    let guide = resource! {
        uri: "docs://getting-started",
        name: "getting-started",
        mime_type: "text/markdown",
        text: "# Getting started\n",
    };
    let here = resource! {
        uri: "deploy://address",
        name: "address",
        description: "Where this client reached this server, as the proxy in front says",
        mime_type: "text/plain",
        read: |cx| async move {
            let addressed = cx.peer::<Parts>().and_then(|head| head.extensions.get::<ForwardedOrigin>());
            Ok(addressed.map_or_else(|| "no trusted proxy says".to_owned(), address))
        },
    };
    let report = resource! {
        uri: "deploy://report",
        name: "report",
        description: "Stands for a query that takes its time; a client that goes away stops it",
        mime_type: "text/plain",
        read: |_cx| async move {
            tracing::info!("working on the report");
            tokio::time::sleep(Duration::from_secs(30)).await;
            Ok("all is well")
        },
    };
    let server = Server::builder("deploy", "1.0.0").resources([guide, here, report]).build()?;
    let address = values("--http").pop().unwrap_or_else(|| "127.0.0.1:8787".to_owned());
    let transport = http(address).public_hosts(values("--public-host")).trusted_proxies(values("--trusted-proxy"));
    server.listen(transport).await
}

fn address(addressed: &ForwardedOrigin) -> String {
    let scheme = addressed.scheme.as_ref().map_or("?", |scheme| scheme.as_str());
    format!("{scheme}://{}", addressed.host)
}

/// The values of a flag on the command line.
fn values(flag: &str) -> Vec<String> {
    let arguments: Vec<String> = std::env::args().collect();
    arguments.windows(2).filter(|pair| pair[0] == flag).map(|pair| pair[1].clone()).collect()
}
