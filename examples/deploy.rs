//! A server as it is deployed: where it listens, by which name clients know it, and which proxy tells so, come from outside.
//!
//! ```sh
//! cargo run --example deploy -- --http 127.0.0.1:8787 --public-host mcp.example.com --trusted-proxy 127.0.0.1
//! ```
//!
//! What stands in front is in `examples/deploy`: a configuration of nginx, and a Kubernetes manifest.

use axum::http::request::Parts;
use grange::{Addressed, Server, http, resource};
use tracing_subscriber::EnvFilter;

#[tokio::main]
async fn main() -> grange::Result<()> {
    // Logs are the supervisor's: on standard error, as much as `RUST_LOG` says.
    tracing_subscriber::fmt().with_env_filter(EnvFilter::from_default_env()).with_writer(std::io::stderr).init();
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
            let addressed = cx.peer::<Parts>().and_then(|head| head.extensions.get::<Addressed>());
            Ok(addressed.map_or_else(|| "no trusted proxy says".to_owned(), address))
        },
    };
    let server = Server::builder("deploy", "1.0.0").resources([guide, here]).build()?;
    let address = values("--http").pop().unwrap_or_else(|| "127.0.0.1:8787".to_owned());
    let transport = http(address).public_hosts(values("--public-host")).trusted_proxies(values("--trusted-proxy"));
    server.listen(transport).await
}

fn address(addressed: &Addressed) -> String {
    let scheme = addressed.scheme.as_ref().map_or("?", |scheme| scheme.as_str());
    format!("{scheme}://{}", addressed.host)
}

/// What follows a flag on the command line, each time that it is there.
fn values(flag: &str) -> Vec<String> {
    let arguments: Vec<String> = std::env::args().collect();
    arguments.windows(2).filter(|pair| pair[0] == flag).map(|pair| pair[1].clone()).collect()
}
