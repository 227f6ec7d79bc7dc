//! The signals that end a server process: SIGTERM and SIGINT, or Ctrl-C where there are none.

use std::io;

/// Resolves when the process is asked to end: SIGTERM or SIGINT, or Ctrl-C where there are none. From the call on they no longer
/// end it by themselves. [`Server::listen`](grange_core::Server::listen) waits for them by itself; this is for an application that
/// [mounts](crate::HttpService) the service.
///
/// ```
/// # use grange_core::Server;
/// # use grange_http::{HttpService, shutdown_signal};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let server = Server::builder("documentation", "1.0.0").build()?;
/// let service = HttpService::new(server);
/// let (signal, streams) = (shutdown_signal()?, service.clone());
/// let shutdown = async move {
///     signal.await;
///     streams.end_streams();
/// };
/// // axum::serve(listener, app.nest_service("/mcp", service)).with_graceful_shutdown(shutdown)
/// # drop(shutdown);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// From the system, where it takes no handler.
pub fn shutdown_signal() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    grange_process::end_signal()
}
