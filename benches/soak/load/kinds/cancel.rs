//! Abandoned requests: by a lost connection, and by a notification in a session.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::time::sleep;

use crate::events::Events;
use crate::failure::{Failure, Flow, wrong};
use crate::message::Sender;
use crate::oracle::{Outcome, judge, rejected, respond};
use crate::question::Question;
use crate::worker::Worker;

/// Longer than a cancellation takes, shorter than a request may run.
const LONG: u64 = 3000;

/// Drops the connection while a request runs, or before its answer is read. This cancels the request, and the server
/// counts it.
pub(super) async fn disconnect(worker: &mut Worker) -> Flow {
    let question = worker.make(|questions, random| match random.between(0, 3) {
        0 => questions.wait_with_progress(Sender::Modern, LONG),
        1 => questions.progress(Sender::Modern, LONG),
        2 => questions.tool(Sender::Modern, "wait", LONG),
        _ => questions.computed(Sender::Modern),
    });
    let mut connection = worker.open().await?;
    worker.shared.pace.turn().await;
    connection.send(&question.message.to_bytes()).await?;
    sleep(worker.random.milliseconds(0, 60)).await;
    if worker.random.chance(50) {
        connection.reset();
    }
    worker.note("disconnected");
    Ok(())
}

/// The same in a session, where it does not cancel: the request continues, and its answer is not read.
pub(super) async fn abandon(worker: &mut Worker) -> Flow {
    let Some(session) = worker.session().await? else { return Ok(()) };
    let question = worker.make(|questions, random| {
        let time = random.between(0, 700);
        let sender = Sender::Legacy(&session);
        if random.chance(50) { questions.wait(sender, time) } else { questions.progress(sender, time) }
    });
    let mut connection = worker.open().await?;
    worker.shared.pace.turn().await;
    connection.send(&question.message.to_bytes()).await?;
    sleep(worker.random.milliseconds(0, 60)).await;
    worker.note("abandoned");
    Ok(())
}

/// Cancels a running request by its id: its stream ends without a response.
pub(super) async fn cancel(worker: &mut Worker) -> Flow {
    let Some(session) = worker.session().await? else { return Ok(()) };
    let question = worker.make(|questions, _| questions.wait_with_progress(Sender::Legacy(&session), LONG));
    let mut connection = worker.open().await?;
    worker.shared.pace.turn().await;
    let began = Instant::now();
    connection.send(&question.message.to_bytes()).await?;
    let head = connection.head().await?;
    if !head.is_stream() {
        let body = connection.body(&head).await?;
        let outcome = rejected(&head, &body)?.ok_or_else(|| Failure::wrong("an answer before the stream"))?;
        gone(worker, outcome);
        return Ok(());
    }
    let mut events = Events::default();
    let Some(first) = events.next_message(&mut connection).await? else { return wrong("a stream without progress") };
    crate::oracle::progress(&question, &[first])?;
    if !worker.post_in_use(&session, &cancellation(&question)).await? {
        return Ok(());
    }
    match events.next_message(&mut connection).await? {
        None => worker.note("cancelled"),
        Some(response) if began.elapsed() >= Duration::from_millis(LONG) => {
            respond(&question, &response)?;
            worker.note("cancelled too late");
        }
        Some(response) => return wrong(format!("a cancelled request was answered: {response}")),
    }
    Ok(())
}

/// Cancels a request that may not have arrived yet: it ends as an empty stream, or is answered.
pub(super) async fn cancel_early(worker: &mut Worker) -> Flow {
    let Some(session) = worker.session().await? else { return Ok(()) };
    let question = worker.make(|questions, _| questions.wait(Sender::Legacy(&session), 300));
    let mut connection = worker.open().await?;
    worker.shared.pace.turn().await;
    connection.send(&question.message.to_bytes()).await?;
    sleep(worker.random.milliseconds(0, 20)).await;
    worker.post_message(&session, &cancellation(&question)).await?;
    let answer = connection.answer().await?;
    if answer.head.is_stream() && answer.head.status == 200 && answer.body.is_empty() {
        worker.note("cancelled");
        return Ok(());
    }
    let outcome = judge(&question, &answer)?;
    gone(worker, outcome);
    Ok(())
}

fn gone(worker: &mut Worker, outcome: Outcome) {
    if outcome == Outcome::NoSession {
        worker.forget_session();
    }
    worker.note(outcome.name());
}

fn cancellation(question: &Question) -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": question.id } })
}
