//! Batches of as many requests as the server takes in one message, whose answers are small or large: together, they are more than it
//! holds for all clients.

use crate::failure::Flow;
use crate::message::{BATCHING, Sender, Session};
use crate::question::Question;
use crate::worker::Worker;

/// Members of one batch: the most that the server takes.
const MEMBERS: u64 = 100;

pub(super) async fn send(worker: &mut Worker) -> Flow {
    let Ok(session) = worker.open_session(BATCHING).await? else { return Ok(()) };
    let large = *worker.random.pick(&[0, MEMBERS / 10, MEMBERS]);
    let questions: Vec<_> = (0..MEMBERS).map(|place| member(worker, &session, place < large)).collect();
    super::plain::ask_at_once(worker, &session, &questions).await
}

fn member(worker: &mut Worker, session: &Session, is_large: bool) -> Question {
    let sender = Sender::Legacy(session);
    worker.make(|questions, random| match random.chance(50) {
        _ if is_large => questions.computed(sender),
        true => questions.echo(sender),
        false => questions.tool(sender, "echo", 0),
    })
}
