//! Slow clients: in reading, in sending, in sending the first byte. Those that are too slow are disconnected.

use std::time::Duration;

use grange_benches::soak::{HUGE, MIB, PATIENCE};
use serde_json::json;
use tokio::time::{Instant, sleep};

use crate::failure::{Flow, shown, wrong};
use crate::http1::Connection;
use crate::message::Sender;
use crate::oracle::{Outcome, judge, rejected};
use crate::question::Expected;
use crate::worker::Worker;

/// A small receive window, so that the server has to wait.
pub(super) const WINDOW: u32 = 4 * 1024;

/// Reads a large answer a few KiB at a time; then reads the rest at once, or disconnects.
pub(super) async fn reader(worker: &mut Worker) -> Flow {
    let question = worker.make(|questions, random| {
        if random.chance(50) { questions.computed(Sender::Modern) } else { questions.large(Sender::Modern) }
    });
    let mut connection = Connection::with_window(worker.shared.address, Some(WINDOW)).await?;
    worker.shared.pace.turn().await;
    connection.send(&question.message.to_bytes()).await?;
    let end = Instant::now() + worker.random.milliseconds(100, 1500);
    while Instant::now() < end {
        let most = worker.random.between(1, 8 * 1024);
        if connection.sip(usize::try_from(most).unwrap_or(1)).await? == 0 {
            break;
        }
        sleep(worker.random.milliseconds(1, 20)).await;
    }
    if worker.random.chance(40) {
        worker.note("left");
        return Ok(());
    }
    let answer = connection.answer().await?;
    worker.note(judge(&question, &answer)?.name());
    Ok(())
}

/// Does not read a huge answer for longer than the server waits. After that the answer is truncated, or whole if the
/// server did not have to wait that long.
pub(super) async fn stopped(worker: &mut Worker) -> Flow {
    let question = worker.make(|questions, _| {
        questions.ask(Sender::Modern, "resources/read", json!({ "uri": HUGE }), Expected::Anything)
    });
    let mut connection = Connection::with_window(worker.shared.address, Some(WINDOW)).await?;
    worker.shared.pace.turn().await;
    connection.send(&question.message.to_bytes()).await?;
    let head = connection.head().await?;
    if head.status != 200 {
        let body = connection.body(&head).await?;
        let Some(outcome) = rejected(&head, &body)? else { return wrong(format!("status {}", head.status)) };
        worker.note(outcome.name());
        return Ok(());
    }
    let Some(length) = head.length().filter(|length| *length > 8 * MIB) else {
        return wrong(format!("not the length of what was asked for: {head:?}"));
    };
    sleep(PATIENCE + Duration::from_secs(2)).await;
    // No request follows, so after a whole answer the server closes the idle connection.
    let received = connection.rest().await?.len();
    match received {
        _ if received == length => worker.note("answered"),
        _ if received < length => worker.note("cut off"),
        _ => return wrong(format!("{received} bytes of {length}")),
    }
    Ok(())
}

/// Sends a request in pieces, with pauses much shorter than the limit.
pub(super) async fn sender(worker: &mut Worker) -> Flow {
    let question = worker.any(Sender::Modern);
    let bytes = question.message.to_bytes();
    let mut connection = worker.open().await?;
    worker.shared.pace.turn().await;
    connection.send(&[]).await?;
    let (mut sent, mut stopped) = (0, None);
    while sent < bytes.len() && stopped.is_none() {
        let piece = worker.random.index(bytes.len() / 3) + 1;
        let end = bytes.len().min(sent + piece);
        stopped = connection.send_more(bytes.get(sent..end).unwrap_or_default()).await.err();
        sent = end;
        sleep(worker.random.milliseconds(0, 150)).await;
    }
    // A busy server rejects after the head, and later stops reading. Its response must arrive nevertheless.
    let outcome = match (connection.answer().await, stopped) {
        (Ok(answer), None) => judge(&question, &answer)?,
        (Ok(answer), Some(stopped)) => match judge(&question, &answer)? {
            Outcome::Answered => return Err(stopped.at("answered before it was sent")),
            rejected => rejected,
        },
        (Err(failure), stopped) => return Err(stopped.unwrap_or(failure)),
    };
    worker.note(outcome.name());
    Ok(())
}

/// Sends the start of a request and then nothing: it is rejected, or its connection is closed.
pub(super) async fn stalled(worker: &mut Worker) -> Flow {
    let question = worker.any(Sender::Modern);
    let bytes = question.message.to_bytes();
    let body = question.message.body.len();
    let sent = worker.random.index(bytes.len() - 1) + 1;
    let mut connection = worker.open().await?;
    worker.shared.pace.turn().await;
    connection.send(bytes.get(..sent).unwrap_or_default()).await?;
    let received = connection.rest().await?;
    let has_head = sent >= bytes.len() - body;
    let begins = |status: &str| received.starts_with(format!("HTTP/1.1 {status} ").as_bytes());
    match () {
        () if has_head && begins("408") => worker.note("timed out (408)"),
        () if has_head && begins("503") => worker.note(Outcome::Busy.name()),
        () if !has_head && (received.is_empty() || begins("408")) => worker.note("closed"),
        () => return wrong(format!("to {sent} of {} bytes came {}", bytes.len(), shown(&received))),
    }
    Ok(())
}

/// Connects and sends nothing.
pub(super) async fn silent(worker: &mut Worker) -> Flow {
    let mut connection = worker.open().await?;
    if worker.random.chance(60) {
        sleep(worker.random.milliseconds(0, 1000)).await;
        worker.note("left");
        return Ok(());
    }
    let received = connection.rest().await?;
    if !received.is_empty() {
        return wrong(format!("to nothing came {}", shown(&received)));
    }
    worker.note("closed");
    Ok(())
}
