//! HTTP/2 connections whose streams get no window, so that no answer can be sent, and connections that are silent.

use std::time::Duration;

use grange_benches::soak::PATIENCE;
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};

use super::http2::{Multiplexed, Sent, connect_without_window};
use crate::failure::{Failure, Flow, shown, wrong};
use crate::http1::HANG;
use crate::message::Sender;
use crate::shared::Shared;
use crate::worker::Worker;

/// Asks for large answers and gives no window: the server resets the streams. Half of the clients do not even read that.
pub(super) async fn streams(worker: &mut Worker) -> Flow {
    let (client, mut driven) = connect_without_window(worker.shared.address).await?;
    let mut sent = Vec::new();
    for _ in 0..worker.random.between(2, 8) {
        worker.shared.pace.turn().await;
        sent.push(send(&worker.shared, &client).await?);
    }
    if worker.random.chance(50) {
        // It sends and receives for this time, and then never again.
        let _ = timeout(worker.random.milliseconds(50, 300), &mut driven).await;
        sleep(PATIENCE + Duration::from_secs(2)).await;
        worker.note("silent");
        return Ok(());
    }
    let _driving = Driving(tokio::spawn(driven).abort_handle());
    for stream in sent {
        worker.note(ended(stream).await?);
    }
    Ok(())
}

async fn send(shared: &Shared, client: &Multiplexed) -> Flow<Sent> {
    let question = shared.questions.borrow_mut().computed(Sender::Modern);
    client.send(&question.message).await
}

/// How a stream ends that gets no window.
async fn ended((response, _): Sent) -> Flow<&'static str> {
    let lost = |error: h2::Error| Failure::wrong(format!("no answer over HTTP/2: {error}"));
    let hangs = |_| Failure::wrong("a stream without window does not end");
    let (head, mut body) = timeout(HANG, response).await.map_err(hangs)?.map_err(lost)?.into_parts();
    match timeout(HANG, body.data()).await.map_err(hangs)? {
        Some(Ok(data)) => wrong(format!("without a window came {}", shown(&data))),
        None => wrong("without a window an answer was whole"),
        Some(Err(_)) if head.status == 503 => Ok("refused (503)"),
        Some(Err(_)) if head.status == 200 => Ok("reset"),
        Some(Err(_)) => wrong(format!("status {}", head.status)),
    }
}

/// Sends the start of a connection and nothing more: the server closes it.
pub(super) async fn silent(worker: &mut Worker) -> Flow {
    /// The preface, and a frame of no settings.
    const START: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
    let mut connection = worker.open().await?;
    connection.send(START).await?;
    connection.rest().await?;
    worker.note("closed");
    Ok(())
}

/// A task that ends when this is dropped.
struct Driving(AbortHandle);

impl Drop for Driving {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Answers that the server holds, since their streams get no window. Dropped, they are given up with their connection.
pub(crate) struct Unread {
    _driving: Driving,
    sent: Vec<Sent>,
}

impl Unread {
    /// Asks for so many large answers.
    pub(crate) async fn ask(shared: &Shared, count: usize) -> Flow<Self> {
        let (client, driven) = connect_without_window(shared.address).await?;
        let driving = Driving(tokio::spawn(driven).abort_handle());
        let mut sent = Vec::new();
        for _ in 0..count {
            sent.push(send(shared, &client).await?);
        }
        Ok(Self { _driving: driving, sent })
    }

    /// How many of them the server has, and how many it had no room for.
    pub(crate) async fn count(&mut self) -> Flow<(usize, usize)> {
        let mut counts = (0, 0);
        for (response, _) in &mut self.sent {
            let head = timeout(HANG, response).await.map_err(|_| Failure::wrong("no head over HTTP/2"))?;
            match head.map_err(|error| Failure::wrong(error.to_string()))?.status().as_u16() {
                200 => counts.0 += 1,
                503 => counts.1 += 1,
                other => return wrong(format!("status {other}")),
            }
        }
        Ok(counts)
    }
}
