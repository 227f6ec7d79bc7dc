//! Observability: metrics for Prometheus, and spans for OpenTelemetry, each in the trace of the client's request.
//!
//! ```sh
//! cargo run -p example-observability           # http://127.0.0.1:8787/mcp, metrics at http://127.0.0.1:9090/metrics
//! OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 cargo run -p example-observability
//! ```
//!
//! Two arguments set other addresses. `RUST_LOG` sets what the log shows; the exporter uses the variables of OpenTelemetry.

mod traces;

use std::env;
use std::error::Error;

use axum::Router;
use axum::routing::get;
use grange::{Server, http, resources};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder};
use tokio::net::TcpListener;

/// In seconds. Most responses take less than a millisecond.
const BUCKETS: [f64; 9] = [0.000_1, 0.000_5, 0.001, 0.005, 0.025, 0.1, 0.5, 2.0, 10.0];

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let address = arguments.next().unwrap_or_else(|| "127.0.0.1:8787".to_owned());
    let watched_at = arguments.next().unwrap_or_else(|| "127.0.0.1:9090".to_owned());

    let traces = traces::install()?;
    serve_metrics(&watched_at).await?;

    let documents = resources! {
        { uri: "docs://guide", name: "guide", text: "# Guide\n" },
        { uri: "docs://stock", name: "stock", read: |_| async { Err::<&str, _>("the database says no".into()) } },
    };
    let server = Server::builder("documentation", "1.0.0")
        .resources(documents)
        // The client gets `Internal error`. The log has the error and its causes, inside the request's span: without an `on_error`
        // they go to the subscriber that is installed.
        .build()?;
    let listening = |address| eprintln!("serving on http://{address}/mcp");
    server.listen(http(address).on_listening(listening)).await?;
    // Sends the spans that were not exported yet.
    traces.shutdown()?;
    Ok(())
}

/// On an address of its own, which only the operator can reach.
async fn serve_metrics(address: &str) -> Result<(), Box<dyn Error>> {
    let recorder = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Full("grange_request_seconds".to_owned()), &BUCKETS)?
        .install_recorder()?;
    grange::metrics::describe();
    let rendered = move || {
        recorder.run_upkeep();
        std::future::ready(recorder.render())
    };
    let listener = TcpListener::bind(address).await?;
    eprintln!("metrics on http://{}/metrics", listener.local_addr()?);
    let app = Router::new().route("/metrics", get(rendered));
    tokio::spawn(async move { axum::serve(listener, app).await });
    Ok(())
}
