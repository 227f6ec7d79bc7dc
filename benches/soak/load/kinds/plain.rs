//! Well-behaved clients: requests in sequence on one connection, pipelined, and in batches.

use serde_json::Value;

use crate::failure::{Flow, shown, wrong};
use crate::message::{BATCHING, Sender, Session};
use crate::oracle::{Outcome, answered, json, judge, rejected};
use crate::question::Question;
use crate::worker::Worker;

/// A client of the newest revision.
pub(super) async fn modern(worker: &mut Worker) -> Flow {
    for _ in 0..worker.random.between(10, 50) {
        let question = worker.any(Sender::Modern);
        worker.ask(&question).await?;
    }
    Ok(())
}

/// A client in a session, which it uses until the session ends.
pub(super) async fn legacy(worker: &mut Worker) -> Flow {
    let Some(session) = worker.session().await? else { return Ok(()) };
    for _ in 0..worker.random.between(10, 50) {
        let question = worker.any(Sender::Legacy(&session));
        if worker.ask(&question).await? == Outcome::NoSession {
            worker.forget_session();
            break;
        }
    }
    Ok(())
}

/// Sends several requests before the first answer. The answers arrive in order.
pub(super) async fn pipelined(worker: &mut Worker) -> Flow {
    let count = worker.random.between(2, 8);
    let questions: Vec<Question> = (0..count).map(|_| worker.any(Sender::Modern)).collect();
    let mut connection = worker.connection().await?;
    let mut bytes = Vec::new();
    for question in &questions {
        worker.shared.pace.turn().await;
        bytes.extend(question.message.to_bytes());
    }
    connection.send(&bytes).await?;
    for (place, question) in questions.iter().enumerate() {
        let answer =
            if place + 1 == questions.len() { connection.answer().await? } else { connection.next_answer().await? };
        worker.note(judge(question, &answer)?.name());
    }
    worker.keep(connection);
    Ok(())
}

/// Sends several requests in one message. The answers arrive in one array, in any order.
pub(super) async fn batch(worker: &mut Worker) -> Flow {
    let Ok(session) = worker.open_session(BATCHING).await? else { return Ok(()) };
    let questions = members(worker, &session);
    ask_at_once(worker, &session, &questions).await
}

/// Asks all questions in one message. Each gets its own answer, right or busy.
pub(super) async fn ask_at_once(worker: &mut Worker, session: &Session, questions: &[Question]) -> Flow {
    let messages: Vec<Value> = questions.iter().map(|question| json(&question.message.body)).collect::<Flow<_>>()?;
    let mut connection = worker.connection().await?;
    let post = Sender::Legacy(session).post(&Value::Array(messages));
    let answer = worker.exchange(&mut connection, &post).await?;
    worker.keep(connection);
    if let Some(outcome) = rejected(&answer.head, &answer.body)? {
        worker.note(outcome.name());
        return Ok(());
    }
    let Value::Array(mut answers) = json(&answer.body)? else {
        return wrong(format!("a batch was answered with {}", shown(&answer.body)));
    };
    for question in questions {
        let Some(place) = answers.iter().position(|answer| answer["id"] == question.id) else {
            return wrong(format!("no answer to {} in {}", question.id, shown(&answer.body)));
        };
        worker.note(answered(question, &answers.swap_remove(place))?.name());
    }
    if answers.is_empty() { Ok(()) } else { wrong(format!("unexpected answers: {answers:?}")) }
}

fn members(worker: &mut Worker, session: &Session) -> Vec<Question> {
    let sender = Sender::Legacy(session);
    let count = worker.random.between(1, 6);
    let question = |_| {
        worker.make(|questions, random| match random.between(0, 2) {
            0 => questions.echo(sender),
            1 => questions.tool(sender, "echo", 0),
            _ => questions.wait(sender, random.between(0, 20)),
        })
    };
    (0..count).map(question).collect()
}
