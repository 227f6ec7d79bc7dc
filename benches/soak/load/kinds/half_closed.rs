//! Clients that send no more after their request, and still read. In a session each gets its answer. A modern client gets it if it is
//! there at once; else it counts as gone, and its request is cancelled.

use crate::failure::Flow;
use crate::message::{Sender, Session};
use crate::oracle::{Outcome, judge};
use crate::question::Question;
use crate::worker::Worker;

pub(super) async fn send(worker: &mut Worker) -> Flow {
    if worker.random.chance(50) {
        return modern(worker).await;
    }
    let Some(session) = worker.session().await? else { return Ok(()) };
    legacy(worker, &session).await
}

async fn legacy(worker: &mut Worker, session: &Session) -> Flow {
    let question = question(worker, Sender::Legacy(session));
    let mut connection = worker.open().await?;
    worker.shared.pace.turn().await;
    connection.send(&question.message.to_bytes()).await?;
    connection.finish().await;
    let outcome = judge(&question, &connection.answer().await?)?;
    if outcome == Outcome::NoSession {
        worker.forget_session();
    }
    worker.note(outcome.name());
    Ok(())
}

async fn modern(worker: &mut Worker) -> Flow {
    let question = question(worker, Sender::Modern);
    let mut connection = worker.open().await?;
    worker.shared.pace.turn().await;
    connection.send(&question.message.to_bytes()).await?;
    connection.finish().await;
    if connection.is_at_end().await? {
        worker.note("dropped");
        return Ok(());
    }
    let answer = connection.answer().await?;
    worker.note(judge(&question, &answer)?.name());
    Ok(())
}

fn question(worker: &mut Worker, sender: Sender<'_>) -> Question {
    worker.make(|questions, random| match random.between(0, 2) {
        0 => questions.echo(sender),
        1 => questions.computed(sender),
        _ => questions.wait(sender, random.between(50, 500)),
    })
}
