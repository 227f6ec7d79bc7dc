//! On plain hyper: the service takes any request body.
//!
//! ```sh
//! cargo run --example hyper             # http://127.0.0.1:8787, any path
//! ```

use grange::{ServeHttp, Server, resource};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use hyper_util::service::TowerToHyperService;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let guide = resource! {
        uri: "docs://getting-started",
        name: "getting-started",
        mime_type: "text/markdown",
        text: "# Getting started\n",
    };
    let service = Server::builder("documentation", "1.0.0").resource(guide).build()?.http_service();

    let listener = tokio::net::TcpListener::bind("127.0.0.1:8787").await?;
    eprintln!("serving on http://{}", listener.local_addr()?);
    loop {
        let (stream, _) = listener.accept().await?;
        let service = TowerToHyperService::new(service.clone());
        tokio::spawn(async move {
            let connection = auto::Builder::new(TokioExecutor::new());
            if let Err(error) = connection.serve_connection(TokioIo::new(stream), service).await {
                eprintln!("a connection failed: {error}");
            }
        });
    }
}
