//! Clients of HTTP/1.1 that ask for large answers, each made for them alone, and read nothing: the server gives them up.

use std::time::Duration;

use grange_benches::soak::PATIENCE;
use tokio::time::sleep;

use super::slow::WINDOW;
use crate::failure::{Flow, shown, wrong};
use crate::http1::Connection;
use crate::message::Sender;
use crate::question::Question;
use crate::worker::Worker;

/// Several connections at once, with further requests behind the first.
pub(super) async fn readers(worker: &mut Worker) -> Flow {
    let mut open = Vec::new();
    for _ in 0..worker.random.between(1, 4) {
        let mut connection = Connection::with_window(worker.shared.address, Some(WINDOW)).await?;
        let questions: Vec<Question> = (0..worker.random.between(1, 3))
            .map(|_| worker.make(|questions, _| questions.computed(Sender::Modern)))
            .collect();
        worker.shared.pace.turn().await;
        let bytes: Vec<u8> = questions.iter().flat_map(|question| question.message.to_bytes()).collect();
        connection.send(&bytes).await?;
        open.extend(questions.into_iter().next().map(|first| (connection, first)));
    }
    sleep(PATIENCE + Duration::from_secs(2)).await;
    for (connection, first) in open {
        worker.note(end(connection, &first).await?);
    }
    Ok(())
}

/// What a client finds that begins to read too late: the start of its own answer, and no more than the system had sent.
async fn end(mut connection: Connection, first: &Question) -> Flow<&'static str> {
    let received = connection.rest().await?;
    let text = String::from_utf8_lossy(&received);
    match text.split_once("\r\n\r\n") {
        None if received.is_empty() => Ok("cut off"),
        Some((head, _)) if head.starts_with("HTTP/1.1 503 ") => Ok("refused (503)"),
        Some((head, body)) if head.starts_with("HTTP/1.1 200 ") && body.contains(&*first.nonce) => {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            let is_whole =
                length.and_then(|length| length.parse().ok()).is_some_and(|length: usize| body.len() >= length);
            Ok(if is_whole { "answered" } else { "cut off" })
        }
        _ => wrong(format!("to {} came {}", shown(&first.message.body), shown(&received))),
    }
}
