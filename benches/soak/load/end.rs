//! The end: SIGTERM while requests run, streams are held and connections are idle. Every client gets its answer, and
//! the process ends in time.

use std::time::{Duration, Instant};

use grange_benches::process::Served;
use grange_benches::soak::limits;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::Result;
use crate::after::running;
use crate::events::Events;
use crate::failure::{Failure, Flow, shown, wrong};
use crate::http1::{Connection, HANG};
use crate::kinds::{Multiplexed, acknowledged, connect};
use crate::message::{PRIMED, Sender};
use crate::oracle::{Outcome, judge};
use crate::question::Question;
use crate::report::{Checks, seconds};
use crate::worker::Worker;

/// Longer than it takes to open everything, shorter than a request may run.
const WAIT: u64 = 3000;
const EACH: usize = 3;

/// The requests, streams and connections that are open at the signal.
struct Open {
    waiting: Vec<(Connection, Question)>,
    listening: Vec<(Connection, Events, Value)>,
    standing: (Connection, Events),
    idle: Vec<Connection>,
    silent: Vec<Connection>,
}

/// Opens all of them, sends the signal, and checks how each ends.
pub(crate) async fn check(worker: &mut Worker, served: &mut Served, checks: &mut Checks) -> Result<()> {
    let (client, _) = connect(worker.shared.address).await.map_err(|failure| format!("{failure:?}"))?;
    let over_http2 = worker.make(|questions, _| questions.wait(Sender::Modern, WAIT));
    let question = over_http2.clone();
    let multiplexed = tokio::task::spawn_local(async move { over_http2_answer(client, question).await });
    let open = match open(worker).await {
        Ok(open) => open,
        Err(failure) => {
            checks.check(false, format!("could not open everything before the end: {failure:?}"));
            return Ok(());
        }
    };
    let began = Instant::now();
    served.terminate()?;
    let mut see = |what: &str, seen: Flow| match seen {
        Ok(()) => checks.check(true, what),
        Err(failure) => checks.check(false, format!("{what}: {failure:?}")),
    };
    see("requests under way were answered", answers(open.waiting).await);
    see("and so was one over HTTP/2", multiplexed.await?);
    see("streams that listen got their last messages", last_messages(open.listening).await);
    see("the stream of a session ended in order", ends(open.standing).await);
    see("idle connections were closed", closed(open.idle).await);
    see("and so were silent ones", closed(open.silent).await);
    exit(served, began, checks).await?;
    let again = Connection::open(worker.shared.address).await;
    checks.check(again.is_err(), "the address does not accept connections");
    Ok(())
}

async fn over_http2_answer(client: Multiplexed, question: Question) -> Flow {
    match client.ask(&question).await? {
        "answered" => Ok(()),
        other => wrong(other),
    }
}

async fn open(worker: &mut Worker) -> Flow<Open> {
    let Ok(session) = worker.open_session(PRIMED).await? else { return wrong("no room for a session") };
    let mut waiting = Vec::new();
    for sender in [Sender::Modern, Sender::Legacy(&session)].repeat(EACH) {
        let question = worker.make(|questions, random| {
            if random.chance(50) { questions.wait(sender, WAIT) } else { questions.wait_with_progress(sender, WAIT) }
        });
        waiting.push((sent(worker, &question.message.to_bytes()).await?, question));
    }
    let mut listening = Vec::new();
    for _ in 0..EACH {
        let id = json!(worker.make(|questions, _| questions.nonce()));
        let request = Sender::Modern.request(&id, "subscriptions/listen", json!({ "notifications": {} }));
        let mut connection = sent(worker, &request.to_bytes()).await?;
        let mut events = Events::default();
        connection.head().await?;
        acknowledged(&mut connection, &mut events, &id).await?;
        listening.push((connection, events, id));
    }
    let mut standing = sent(worker, &Sender::Legacy(&session).bodiless("GET").to_bytes()).await?;
    standing.head().await?;
    let (mut idle, mut silent) = (Vec::new(), Vec::new());
    for _ in 0..EACH {
        silent.push(worker.open().await?);
        let mut connection = worker.open().await?;
        let question = worker.make(|questions, _| questions.echo(Sender::Modern));
        let answer = worker.exchange(&mut connection, &question.message).await?;
        judge(&question, &answer)?;
        idle.push(connection);
    }
    let run = i64::try_from(waiting.len() + 1).unwrap_or_default();
    let found = running(&worker.shared, run).await?;
    if found["running"] != run {
        return wrong(format!("{run} requests do not run: {found}"));
    }
    Ok(Open { waiting, listening, standing: (standing, Events::default()), idle, silent })
}

async fn sent(worker: &Worker, bytes: &[u8]) -> Flow<Connection> {
    let mut connection = worker.open().await?;
    connection.send(bytes).await?;
    Ok(connection)
}

async fn answers(waiting: Vec<(Connection, Question)>) -> Flow {
    for (mut connection, question) in waiting {
        let answer = connection.answer().await?;
        match judge(&question, &answer)? {
            Outcome::Answered => {}
            outcome => return wrong(outcome.name()),
        }
        closed(vec![connection]).await?;
    }
    Ok(())
}

async fn last_messages(listening: Vec<(Connection, Events, Value)>) -> Flow {
    for (mut connection, mut events, id) in listening {
        let mut received = Vec::new();
        while let Some(message) = events.next_message(&mut connection).await? {
            received.push(message);
        }
        let [result, cancelled] = received.as_slice() else { return wrong(format!("not two messages: {received:?}")) };
        let is_result = result["id"] == id && result["result"]["resultType"] == "complete";
        let is_cancelled = cancelled["method"] == "notifications/cancelled" && cancelled["params"]["requestId"] == id;
        if !is_result || !is_cancelled {
            return wrong(format!("not the end of {id}: {received:?}"));
        }
        closed(vec![connection]).await?;
    }
    Ok(())
}

async fn ends((mut connection, mut events): (Connection, Events)) -> Flow {
    match events.next_message(&mut connection).await? {
        None => closed(vec![connection]).await,
        Some(message) => wrong(format!("unexpected message: {message}")),
    }
}

async fn closed(connections: Vec<Connection>) -> Flow {
    for mut connection in connections {
        let received = connection.rest().await?;
        if !received.is_empty() {
            return Err(Failure::wrong(format!("at the end of a connection came {}", shown(&received))));
        }
    }
    Ok(())
}

async fn exit(served: &mut Served, began: Instant, checks: &mut Checks) -> Result<()> {
    const PAUSE: Duration = Duration::from_millis(20);
    let grace = limits().shutdown_grace;
    let status = loop {
        if let Some(status) = served.ended()? {
            break status;
        }
        if began.elapsed() > grace + HANG {
            checks.check(false, format!("it still runs, {} after the signal", seconds(began.elapsed())));
            return Ok(());
        }
        sleep(PAUSE).await;
    };
    let took = began.elapsed();
    // A machine that pauses may delay the server beyond its time limit.
    let is_in_time = took < grace + HANG / 2;
    let what = format!("it ended with {status}, {} after the signal, of {} of grace", seconds(took), seconds(grace));
    checks.check(status.success() && is_in_time, what);
    Ok(())
}
