//! Sessions: used and ended, abandoned, with requests of the server, and with resumed streams.

use std::time::{Duration, Instant};

use grange_benches::soak::{NONCE, PATIENCE, QUESTION};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::events::Events;
use crate::failure::{Failure, Flow, wrong};
use crate::http1::Connection;
use crate::message::{LEGACY, PRIMED, Sender};
use crate::oracle::{Outcome, progress, rejected, respond};
use crate::question::Question;
use crate::worker::Worker;

/// Opens, uses and ends a session; after that it does not exist.
pub(super) async fn lifetime(worker: &mut Worker) -> Flow {
    let revision = *worker.random.pick(&LEGACY);
    let Ok(session) = worker.open_session(revision).await? else { return Ok(()) };
    let sender = Sender::Legacy(&session);
    for _ in 0..worker.random.between(0, 5) {
        let question = worker.any(sender);
        worker.ask(&question).await?;
    }
    let mut connection = worker.connection().await?;
    let ended = worker.exchange(&mut connection, &sender.bodiless("DELETE")).await?;
    worker.keep(connection);
    match rejected(&ended.head, &ended.body)? {
        None if ended.head.status == 204 => worker.note("ended"),
        None => return wrong(format!("status {} to DELETE", ended.head.status)),
        // It was idle, and was evicted.
        Some(outcome) => worker.note(outcome.name()),
    }
    let question = worker.any(sender);
    match worker.ask(&question).await? {
        Outcome::NoSession | Outcome::Busy => Ok(()),
        outcome => wrong(format!("{} in an ended session", outcome.name())),
    }
}

/// Opens a session and abandons it, sometimes before the handshake is complete.
pub(super) async fn left(worker: &mut Worker) -> Flow {
    for _ in 0..worker.random.between(1, 4) {
        let revision = *worker.random.pick(&LEGACY);
        if worker.open_session(revision).await?.is_ok() {
            worker.note("left");
        }
    }
    Ok(())
}

/// The server sends a request on the stream of a call, and the answer arrives in another POST. Some clients do not
/// answer, and the request is cancelled.
pub(super) async fn asked(worker: &mut Worker) -> Flow {
    let Some(session) = worker.session().await? else { return Ok(()) };
    let question = worker.make(|questions, _| questions.tool(Sender::Legacy(&session), "ask", 0));
    let mut connection = worker.open().await?;
    worker.shared.pace.turn().await;
    connection.send(&question.message.to_bytes()).await?;
    let mut events = Events::default();
    if !opened(worker, &mut connection).await? {
        return Ok(());
    }
    let Some(asked) = events.next_message(&mut connection).await? else { return wrong("a stream without a question") };
    if asked["method"] != QUESTION || asked["params"][NONCE] != *question.nonce {
        return wrong(format!("not the question of {}: {asked}", question.nonce));
    }
    if worker.random.chance(10) {
        return unanswered(worker, &mut connection, &mut events, question, &asked["id"]).await;
    }
    let own = worker.make(|questions, _| questions.nonce());
    let reply = json!({ "jsonrpc": "2.0", "id": asked["id"], "result": { NONCE: own } });
    let is_delivered = worker.post_in_use(&session, &reply).await?;
    if !is_delivered {
        return unanswered(worker, &mut connection, &mut events, question, &asked["id"]).await;
    }
    let received = rest(&mut connection, &mut events).await?;
    let answered = Question { nonce: own, ..question };
    if received.len() != 1 && connection.began().elapsed() >= PATIENCE / 2 {
        worker.note("answered too late");
        return Ok(());
    }
    let [response] = received.as_slice() else { return wrong(format!("not one response: {received:?}")) };
    respond(&answered, response).map_err(|failure| failure.at(response))?;
    worker.note(Outcome::Answered.name());
    Ok(())
}

/// Does not answer the server: it cancels its request, and the tool returns that.
async fn unanswered(
    worker: &mut Worker,
    connection: &mut Connection,
    events: &mut Events,
    question: Question,
    asked: &Value,
) -> Flow {
    let received = rest(connection, events).await?;
    let [withdrawn, response] = received.as_slice() else {
        return wrong(format!("not a withdrawal and a response: {received:?}"));
    };
    if withdrawn["method"] != "notifications/cancelled" || withdrawn["params"]["requestId"] != *asked {
        return wrong(format!("no withdrawal of {asked}: {withdrawn}"));
    }
    let nonce = format!("no answer: the client did not answer in {} ms", (PATIENCE / 2).as_millis());
    respond(&Question { nonce, ..question }, response).map_err(|failure| failure.at(response))?;
    worker.note("withdrawn");
    Ok(())
}

/// Resumes a stream that was lost or that the server closed: no event is missing, and none is repeated.
pub(super) async fn resume(worker: &mut Worker) -> Flow {
    let Ok(session) = worker.open_session(PRIMED).await? else { return Ok(()) };
    let sender = Sender::Legacy(&session);
    let lets_go = worker.random.chance(50);
    let question = worker.make(|questions, random| {
        let time = random.between(50, 500);
        if lets_go { questions.tool(sender, "suspend", time) } else { questions.progress(sender, time) }
    });
    let mut connection = worker.open().await?;
    worker.shared.pace.turn().await;
    connection.send(&question.message.to_bytes()).await?;
    if !opened(worker, &mut connection).await? {
        return Ok(());
    }
    let mut events = Events::default();
    let mut received = if lets_go {
        rest(&mut connection, &mut events).await?
    } else {
        events.next_message(&mut connection).await?.into_iter().collect()
    };
    if let Some(id) = &events.last_id {
        drop(connection);
        match resume_after(worker, sender, id).await? {
            Some(more) => received.extend(more),
            None => return Ok(()),
        }
    }
    let Some(response) = received.pop() else { return wrong("no answer on a resumed stream") };
    progress(&question, &received)?;
    if !lets_go && received.len() != grange_benches::soak::STEPS as usize {
        return wrong(format!("not all progress: {received:?}"));
    }
    respond(&question, &response).map_err(|failure| failure.at(response))?;
    worker.note("resumed");
    Ok(())
}

/// The rest of a stream after that event; `None` if the session was evicted after its request had ended.
async fn resume_after(worker: &mut Worker, sender: Sender<'_>, id: &str) -> Flow<Option<Vec<Value>>> {
    let get = sender.bodiless("GET").with("last-event-id", Some(id));
    let began = Instant::now();
    loop {
        let mut connection = worker.open().await?;
        worker.shared.pace.turn().await;
        connection.send(&get.to_bytes()).await?;
        let head = connection.head().await?;
        if head.status == 200 {
            return rest(&mut connection, &mut Events::default()).await.map(Some);
        }
        let body = connection.body(&head).await?;
        let outcome = rejected(&head, &body)?;
        let outcome = outcome.ok_or_else(|| Failure::wrong(format!("status {} to a resume", head.status)))?;
        worker.note(outcome.name());
        if outcome != Outcome::TooManyStreams || began.elapsed() > PATIENCE {
            return Ok(None);
        }
        sleep(Duration::from_millis(50)).await;
    }
}

/// Whether the response is a stream; notes a rejection.
async fn opened(worker: &mut Worker, connection: &mut Connection) -> Flow<bool> {
    let head = connection.head().await?;
    if head.status == 200 && head.is_stream() {
        return Ok(true);
    }
    let body = connection.body(&head).await?;
    let outcome = rejected(&head, &body)?;
    let outcome = outcome.ok_or_else(|| Failure::wrong(format!("status {} and no stream", head.status)))?;
    if outcome == Outcome::NoSession {
        worker.forget_session();
    }
    worker.note(outcome.name());
    Ok(false)
}

/// The messages up to the end of a stream.
async fn rest(connection: &mut Connection, events: &mut Events) -> Flow<Vec<Value>> {
    let mut received = Vec::new();
    while let Some(message) = events.next_message(connection).await? {
        received.push(message);
    }
    Ok(received)
}
