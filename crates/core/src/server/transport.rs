//! The seam between a server and its transports: HTTP, stdio, and the drivers of third parties.

use std::pin::Pin;

use super::error::Error;
use super::frozen::Server;

impl Server {
    /// Serves on a transport until that ends.
    ///
    /// # Errors
    /// The error of the transport, as for an address that is in use.
    // Not an `async fn`: for a type that is no transport, the compiler would then report three errors in place of one.
    pub fn listen<'a>(
        self,
        transport: impl Transport + 'a,
    ) -> Pin<Box<dyn Future<Output = Result<(), Error>> + Send + 'a>> {
        Box::pin(transport.serve(self))
    }
}

/// A transport: HTTP, stdio, or one of your own over [`Server::accept`] and [`crate::Connection`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a transport",
    note = "pass `grange::stdio()` or `grange::http(\"127.0.0.1:8787\")`"
)]
pub trait Transport {
    /// Serves until the input ends or the transport shuts down.
    fn serve(self, server: Server) -> impl Future<Output = Result<(), Error>> + Send;
}
