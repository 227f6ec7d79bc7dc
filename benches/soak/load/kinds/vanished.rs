//! Clients that close or reset their connection in the middle of something, with bytes behind their request that hide the end.

use tokio::time::sleep;

use super::slow::WINDOW;
use crate::failure::Flow;
use crate::http1::Connection;
use crate::message::Sender;
use crate::question::Question;
use crate::worker::Worker;

/// Longer than a disconnect takes to be seen, shorter than a request may run.
pub(crate) const LONG: u64 = 3000;

/// Where the client vanishes.
#[derive(Clone, Copy)]
enum Place {
    Body,
    Run,
    Answer,
    Stream,
}

pub(super) async fn at_once(worker: &mut Worker) -> Flow {
    let place = *worker.random.pick(&[Place::Body, Place::Run, Place::Answer, Place::Stream]);
    let question = question(worker, place);
    let bytes = bytes(worker, place, &question);
    let mut connection = Connection::with_window(worker.shared.address, Some(WINDOW)).await?;
    worker.shared.pace.turn().await;
    connection.send(&bytes).await?;
    match place {
        Place::Body | Place::Run => sleep(worker.random.milliseconds(0, 60)).await,
        Place::Answer | Place::Stream => {
            connection.sip(1 + worker.random.index(2000)).await?;
        }
    }
    if worker.random.chance(50) {
        connection.reset();
    }
    worker.note("vanished");
    Ok(())
}

fn question(worker: &mut Worker, place: Place) -> Question {
    worker.make(|questions, _| match place {
        Place::Body => questions.echo(Sender::Modern),
        Place::Run => questions.wait(Sender::Modern, LONG),
        Place::Answer => questions.computed(Sender::Modern),
        Place::Stream => questions.progress(Sender::Modern, LONG),
    })
}

fn bytes(worker: &mut Worker, place: Place, question: &Question) -> Vec<u8> {
    let mut bytes = question.message.to_bytes();
    if let Place::Body = place {
        let most = bytes.len() - worker.random.index(question.message.body.len());
        bytes.truncate(most.min(bytes.len() - 1));
        return bytes;
    }
    bytes.extend(behind(worker));
    bytes
}

/// What may follow a request: nothing, the start of the next one, the empty line that some clients send, or the whole next one.
fn behind(worker: &mut Worker) -> Vec<u8> {
    let next = worker.make(|questions, _| questions.echo(Sender::Modern)).message.to_bytes();
    match worker.random.between(0, 3) {
        0 => Vec::new(),
        1 => b"P".to_vec(),
        2 => b"\r\n".to_vec(),
        _ => next,
    }
}
