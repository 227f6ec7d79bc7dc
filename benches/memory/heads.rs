//! Fills the buffers of connections: heads that do not end, nearly as long as a head may be.

use std::net::SocketAddr;

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::Result;
use crate::formula::{CONNECTIONS, HEAD_BYTES, HTTP2, KIB, LARGE, SPARE};
use crate::http1::{connect, start};

/// The connections, which hold it all until they are dropped. Some are left for the other parts.
pub(crate) async fn open(address: SocketAddr) -> Result<Vec<TcpStream>> {
    let mut open = Vec::new();
    let long = format!("{}X-Long: {}", start(), "x".repeat(HEAD_BYTES - KIB));
    for _ in 0..CONNECTIONS - HTTP2 - LARGE - SPARE {
        let mut stream = connect(address).await?;
        stream.write_all(long.as_bytes()).await?;
        open.push(stream);
    }
    Ok(open)
}
