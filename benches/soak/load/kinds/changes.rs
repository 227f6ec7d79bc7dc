//! Clients that get notifications of changes: of the URIs that they subscribed to, and of no other. Each exchange has a resource of its
//! own, so that a notification for another client is detected.

use grange_benches::soak::limits;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::streams::{acknowledged, listening, opened};
use crate::events::Events;
use crate::failure::{Flow, wrong};
use crate::http1::Connection;
use crate::message::{LEGACY, Sender};
use crate::oracle::Outcome;
use crate::question::{Expected, Question};
use crate::worker::Worker;

/// A client of the newest revision listens to one resource, which then changes several times.
pub(super) async fn listen(worker: &mut Worker) -> Flow {
    let touch = worker.make(|questions, _| questions.tool(Sender::Modern, "touch", 0));
    let uri = item(&touch);
    let id = json!(worker.make(|questions, _| questions.nonce()));
    let filter = json!({ "resourceSubscriptions": [uri], "resourcesListChanged": true });
    let request = Sender::Modern.request(&id, "subscriptions/listen", json!({ "notifications": filter }));
    let mut connection = worker.open().await?;
    worker.shared.pace.turn().await;
    connection.send(&request.to_bytes()).await?;
    if !opened(worker, &mut connection).await? {
        return Ok(());
    }
    let mut events = Events::default();
    acknowledged(&mut connection, &mut events, &id).await?;
    told(worker, &touch, (&mut connection, &mut events)).await
}

/// A client in a session subscribes to one resource, and gets the notification on its stream.
pub(super) async fn session(worker: &mut Worker) -> Flow {
    let revision = *worker.random.pick(&LEGACY);
    let Ok(session) = worker.open_session(revision).await? else { return Ok(()) };
    let sender = Sender::Legacy(&session);
    let touch = worker.make(|questions, _| questions.tool(sender, "touch", 0));
    let params = json!({ "uri": item(&touch) });
    let subscribe =
        worker.make(|questions, _| questions.ask(sender, "resources/subscribe", params, Expected::Anything));
    if worker.ask(&subscribe).await? != Outcome::Answered {
        return Ok(());
    }
    let Some((mut connection, mut events)) = listening(worker, &session).await? else { return Ok(()) };
    told(worker, &touch, (&mut connection, &mut events)).await
}

/// The resource that a question announces.
fn item(touch: &Question) -> String {
    format!("soak://items/{}", touch.nonce)
}

/// Announces the change, and expects its notification, and no other.
async fn told(worker: &mut Worker, touch: &Question, (connection, events): (&mut Connection, &mut Events)) -> Flow {
    if worker.ask(touch).await? != Outcome::Answered {
        return Ok(());
    }
    // The first of a burst comes at once, and the rest together after the pause, unless all of them were one.
    let Some(first) = events.next_message(connection).await? else {
        return wrong("the stream ended before the change");
    };
    let rest = timeout(2 * limits().notify_interval, events.next_message(connection)).await;
    let rest = rest.ok().transpose()?.flatten();
    if let Some(other) = [Some(first), rest].into_iter().flatten().find(|message| !is_change(message, &item(touch))) {
        return wrong(format!("not the change of {}: {other}", item(touch)));
    }
    worker.note("told");
    let sender = Sender::Modern;
    let read = worker.make(|questions, _| questions.item(sender));
    worker.ask(&read).await.map(drop)
}

fn is_change(message: &Value, uri: &str) -> bool {
    message["method"] == "notifications/resources/updated" && message["params"]["uri"] == uri
}
