//! Mounted in an actix-web application: beside its routes, under its middleware, with its state.
//!
//! ```sh
//! cargo run -p example-actix         # http://127.0.0.1:8787/ and /mcp
//! cargo run -p example-actix -- 127.0.0.1:9000
//! ```
//!
//! actix-web does not use tower: `adapter.rs` converts between the two, and knows nothing of this application.

use std::sync::Arc;
use std::time::Duration;

use actix_web::http::header::X_CONTENT_TYPE_OPTIONS;
use actix_web::middleware::DefaultHeaders;
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use grange::http::{HttpService, shutdown_signal};
use grange::{BuildError, Server, resource};
use tokio::sync::Semaphore;

mod adapter;

/// Stands for a pool of two database connections, which the pages and the readers share.
#[derive(Clone)]
struct Pool(Arc<Semaphore>);

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let addr = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:8787".to_owned());
    let pool = Pool(Arc::new(Semaphore::new(2)));
    let service = HttpService::new(documentation(pool.clone())?);
    let streams = service.clone();
    let signal = shutdown_signal()?;
    let asked_to_end = async move {
        signal.await;
        // A held stream does not end by itself: the application would wait for it.
        streams.end_streams();
    };
    let app = move || {
        App::new()
            .app_data(web::Data::new(pool.clone()))
            .app_data(web::Data::new(service.clone()))
            .wrap(DefaultHeaders::new().add((X_CONTENT_TYPE_OPTIONS, "nosniff")))
            .route("/", web::get().to(home))
            .service(web::resource(["/mcp", "/mcp/"]).to(mcp))
    };
    let server = HttpServer::new(app)
        .h1_allow_half_closed(false) // A client that closes its side counts as disconnected: its request is cancelled.
        .shutdown_signal(asked_to_end)
        .bind(addr)?;
    for addr in server.addrs() {
        eprintln!("serving on http://{addr}/mcp");
    }
    server.run().await?;
    Ok(())
}

async fn mcp(service: web::Data<HttpService>, request: HttpRequest, payload: web::Payload) -> HttpResponse {
    adapter::call(service.get_ref().clone(), &request, payload).await
}

async fn home(pool: web::Data<Pool>) -> String {
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
