//! How a server is served: the seam to HTTP, stdio and drivers of others.

use std::pin::Pin;

use super::error::Error;
use super::frozen::Server;

impl Server {
    /// Serves on a transport until that ends.
    ///
    /// # Errors
    /// What the transport failed with, such as an address in use.
    // Not an `async fn`: its type would have `transport`'s in it, and one that is no transport would be three errors of the compiler.
    pub fn listen<'a>(
        self,
        transport: impl Transport + 'a,
    ) -> Pin<Box<dyn Future<Output = Result<(), Error>> + Send + 'a>> {
        Box::pin(transport.serve(self))
    }
}

/// A way to serve: HTTP, stdio, or one of your own over [`Server::accept`] and [`crate::Connection`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a transport",
    note = "pass `grange::stdio()` or `grange::http(\"127.0.0.1:8787\")`"
)]
pub trait Transport {
    /// Serves until the transport ends: its input is over, or it was told to shut down.
    fn serve(self, server: Server) -> impl Future<Output = Result<(), Error>> + Send;
}
