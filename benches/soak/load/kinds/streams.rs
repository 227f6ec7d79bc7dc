//! Streams that answer no request: held, read slowly, replaced, dropped.

use std::time::Duration;

use grange_benches::soak::limits;
use serde_json::json;
use tokio::time::{Instant, sleep, timeout_at};

use crate::events::Events;
use crate::failure::{Failure, Flow, wrong};
use crate::http1::Connection;
use crate::message::{LEGACY, Sender, Session};
use crate::oracle::{Outcome, rejected};
use crate::worker::Worker;

/// A client of the newest revision listens: it gets an acknowledgement, and no other message.
pub(super) async fn listen(worker: &mut Worker) -> Flow {
    let id = json!(worker.make(|questions, _| questions.nonce()));
    let params = json!({ "notifications": { "resourcesListChanged": true } });
    let request = Sender::Modern.request(&id, "subscriptions/listen", params);
    let mut connection = worker.open().await?;
    worker.shared.pace.turn().await;
    connection.send(&request.to_bytes()).await?;
    if !opened(worker, &mut connection).await? {
        return Ok(());
    }
    let mut events = Events::default();
    acknowledged(&mut connection, &mut events, &id).await?;
    hold(worker, connection, events).await
}

/// The first message of such a stream.
pub(crate) async fn acknowledged(connection: &mut Connection, events: &mut Events, id: &serde_json::Value) -> Flow {
    let Some(first) = events.next_message(connection).await? else {
        return wrong("a stream without an acknowledgement");
    };
    let subscription = &first["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
    if first["method"] != "notifications/subscriptions/acknowledged" || subscription != id {
        return wrong(format!("not the acknowledgement of {id}: {first}"));
    }
    Ok(())
}

/// A client in a session opens the `GET` stream. Meanwhile its session is in use; a second stream replaces the first;
/// the end of the session ends the stream.
pub(super) async fn get(worker: &mut Worker) -> Flow {
    let revision = *worker.random.pick(&LEGACY);
    let Ok(session) = worker.open_session(revision).await? else { return Ok(()) };
    let Some((connection, events)) = listening(worker, &session).await? else { return Ok(()) };
    match worker.random.between(0, 2) {
        0 => hold(worker, connection, events).await,
        1 => taken_over(worker, &session, connection, events).await,
        _ => ended(worker, &session, connection, events).await,
    }
}

pub(super) async fn listening(worker: &mut Worker, session: &Session) -> Flow<Option<(Connection, Events)>> {
    let mut connection = worker.open().await?;
    worker.shared.pace.turn().await;
    connection.send(&Sender::Legacy(session).bodiless("GET").to_bytes()).await?;
    if !opened(worker, &mut connection).await? {
        return Ok(None);
    }
    let mut events = Events::default();
    match events.next_block(&mut connection).await? {
        Some(first) if first.message()?.is_none() => Ok(Some((connection, events))),
        other => wrong(format!("a stream that opens with {other:?}")),
    }
}

/// Opens sessions that are all in use until the limit is reached: none of them is evicted.
pub(super) async fn crowd(worker: &mut Worker) -> Flow {
    let shared = worker.shared.clone();
    if shared.crowd.replace(true) {
        worker.note("left out");
        return Ok(());
    }
    let crowded = crowd_alone(worker).await;
    shared.crowd.set(false);
    crowded
}

async fn crowd_alone(worker: &mut Worker) -> Flow {
    let (mut held, most) = (Vec::new(), limits().sessions);
    for _ in 0..10 * most {
        let revision = *worker.random.pick(&LEGACY);
        match worker.open_session(revision).await? {
            Ok(session) => {
                // Skips a session that was evicted before it was in use.
                let listening = listening(worker, &session).await?;
                held.extend(listening.map(|(connection, _)| (session, connection)));
            }
            Err(Outcome::NoRoom) => break,
            Err(_) => sleep(Duration::from_millis(10)).await,
        }
    }
    if held.len() > most {
        return wrong(format!("{} sessions are in use at once", held.len()));
    }
    for (session, _) in &held {
        let question = worker.make(|questions, _| questions.echo(Sender::Legacy(session)));
        if worker.ask(&question).await? == Outcome::NoSession {
            return wrong("a session was evicted while its stream was open");
        }
    }
    Ok(())
}

async fn taken_over(worker: &mut Worker, session: &Session, mut first: Connection, mut heard: Events) -> Flow {
    let Some((connection, events)) = listening(worker, session).await? else { return Ok(()) };
    if let Some(message) = heard.next_message(&mut first).await? {
        return wrong(format!("a replaced stream sent {message}"));
    }
    worker.note("taken over");
    let question = worker.make(|questions, _| questions.echo(Sender::Legacy(session)));
    if worker.ask(&question).await? == Outcome::NoSession {
        return wrong("a session ended while its stream is open");
    }
    hold(worker, connection, events).await
}

async fn ended(worker: &mut Worker, session: &Session, mut held: Connection, mut heard: Events) -> Flow {
    let mut connection = worker.connection().await?;
    let ended = worker.exchange(&mut connection, &Sender::Legacy(session).bodiless("DELETE")).await?;
    worker.keep(connection);
    if ended.head.status != 204 {
        return wrong(format!("status {} to DELETE while the stream is open", ended.head.status));
    }
    match heard.next_message(&mut held).await? {
        None => worker.note("ended with its session"),
        Some(message) => return wrong(format!("a stream of an ended session sent {message}")),
    }
    Ok(())
}

/// Reads for some time, or does not; then disconnects.
async fn hold(worker: &mut Worker, mut connection: Connection, mut events: Events) -> Flow {
    let end = Instant::now() + worker.random.milliseconds(0, 1500);
    if worker.random.chance(30) {
        sleep(end - Instant::now()).await;
    }
    while let Ok(block) = timeout_at(end, events.next_block(&mut connection)).await {
        match block? {
            Some(block) if block.message()?.is_none() => {}
            Some(block) => return wrong(format!("an idle stream sent {block:?}")),
            None => return wrong("a stream ended unexpectedly"),
        }
        sleep(Duration::from_millis(5)).await;
    }
    if worker.random.chance(50) {
        connection.reset();
    }
    worker.note("held");
    Ok(())
}

pub(super) async fn opened(worker: &mut Worker, connection: &mut Connection) -> Flow<bool> {
    let head = connection.head().await?;
    if head.status == 200 && head.is_stream() {
        return Ok(true);
    }
    let body = connection.body(&head).await?;
    let outcome = rejected(&head, &body)?;
    worker.note(outcome.ok_or_else(|| Failure::wrong(format!("status {} and no stream", head.status)))?.name());
    Ok(false)
}
