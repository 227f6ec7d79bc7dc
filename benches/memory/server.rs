//! The server that is filled: two resources, whose readers make their text for each request.

use grange_core::{Resource, Server};
use grange_http::http;
use tokio::runtime::Builder;

use crate::Result;
use crate::formula::{CONNECTIONS, HEAD_BYTES, KIB, MIB, PATIENCE, limits};

/// A text that is held for its client alone.
pub(crate) const LARGE: &str = "memory://large";
pub(crate) const LARGE_BYTES: usize = 2 * MIB - 4 * KIB;
/// A text that nearly fills what a session keeps.
pub(crate) const KEPT: &str = "memory://kept";
const KEPT_BYTES: usize = 31 * KIB;

pub(crate) fn serve() -> Result<()> {
    let text = |uri: &'static str, bytes: usize| {
        Resource::builder().uri(uri).name(uri).read(move |_| async move { Ok("x".repeat(bytes)) }).build()
    };
    let server = Server::builder("memory", "1.0.0")
        .resources([text(LARGE, LARGE_BYTES), text(KEPT, KEPT_BYTES)])
        .limits(limits())
        .build()?;
    let transport = http("127.0.0.1:0")
        .sessions()
        .max_connections(CONNECTIONS)
        .max_header_bytes(HEAD_BYTES)
        .read_timeout(PATIENCE)
        .write_timeout(PATIENCE)
        .idle_timeout(PATIENCE)
        .on_listening(|address| println!("{address}"));
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    Ok(runtime.block_on(server.listen(transport))?)
}
