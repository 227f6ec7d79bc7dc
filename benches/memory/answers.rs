//! Fills the bytes that a service holds for its clients: bodies that do not end, and answers that clients do not read. More of both are sent
//! than there is room for; the rest must be rejected.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::Result;
use crate::formula::{LARGE as CLIENTS, limits};
use crate::http1::{connect, head, modern, read, status};
use crate::server::{LARGE, LARGE_BYTES};

/// The connections, which hold it all until they are dropped.
pub(crate) async fn open(address: SocketAddr) -> Result<Vec<TcpStream>> {
    let (mut open, mut rejected) = (Vec::new(), 0);
    for place in 0..CLIENTS {
        let mut stream = connect(address).await?;
        let has_room = if place.is_multiple_of(2) {
            stalled_answer(&mut stream).await?
        } else {
            stalled_body(&mut stream).await?
        };
        rejected += usize::from(!has_room);
        open.push(stream);
    }
    let most = limits().service_bytes / LARGE_BYTES + 1;
    let taken = CLIENTS - rejected;
    println!("{taken:>8} of {CLIENTS} large answers and bodies are held, the others rejected");
    if taken > most || rejected == 0 {
        return Err(format!("{taken} are held, and {most} at most should be").into());
    }
    Ok(open)
}

/// An answer of which only the start is read; `false` if there was no room for it.
async fn stalled_answer(stream: &mut TcpStream) -> Result<bool> {
    stream.write_all(&read(LARGE)).await?;
    match status(stream).await? {
        200 => Ok(true),
        503 => Ok(false),
        other => Err(format!("status {other} to a read").into()),
    }
}

/// A body of which the last byte is missing; `false` if there was no room for it.
async fn stalled_body(stream: &mut TcpStream) -> Result<bool> {
    /// Longer than a rejection takes on a busy machine.
    const PAUSE: Duration = Duration::from_millis(500);
    stream.write_all(head(&modern(LARGE), LARGE_BYTES).as_bytes()).await?;
    // The server stops reading what it has no room for.
    let body = vec![b' '; LARGE_BYTES - 1];
    let _ = stream.write_all(&body).await;
    match timeout(PAUSE, status(stream)).await {
        Err(_) => Ok(true),
        Ok(Ok(503)) => Ok(false),
        Ok(other) => Err(format!("{other:?} to a body that does not end").into()),
    }
}
