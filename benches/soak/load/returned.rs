//! After the load: everything that the limits count was returned. Each limit is reached once more, to its last place.

use std::time::Duration;

use grange_benches::soak::{COMPUTED_BYTES, limits, text};
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use crate::after::running;
use crate::failure::{Flow, wrong};
use crate::http1::{Connection, HANG};
use crate::kinds::{LONG, Unread};
use crate::message::Sender;
use crate::oracle::{Outcome, judge};
use crate::question::Question;
use crate::report::Checks;
use crate::shared::Shared;

/// Between two attempts: what a client that is gone had may be returned a little later.
const PAUSE: Duration = Duration::from_millis(200);

/// Checks requests, streams, bytes, and that a client that vanishes returns its own at once.
pub(crate) async fn check(shared: &Shared, checks: &mut Checks) {
    let limits = limits();
    let (requests, streams) = (limits.requests_in_flight, limits.streams);
    let answers = limits.service_bytes / answer_bytes();
    let mut see = |what: String, seen: Flow| match seen {
        Ok(()) => checks.check(true, what),
        Err(failure) => checks.check(false, format!("{what}: {failure:?}")),
    };
    see(format!("{requests} requests run at once: every permit was returned"), requests_at_once(shared).await);
    see(format!("{streams} streams are open at once: every one was returned"), streams_at_once(shared).await);
    see(format!("{answers} large answers are held at once: all bytes were returned"), held(shared, answers).await);
    see("what vanished clients asked for is cancelled, whatever is behind it".to_owned(), vanished(shared).await);
}

/// About the bytes of one large answer: the text as JSON, and what is around it.
fn answer_bytes() -> usize {
    const AROUND: usize = 1024;
    json!(text(COMPUTED_BYTES)).to_string().len() + AROUND
}

/// Repeats an attempt until it succeeds, or for a long time.
async fn in_time<F: Future<Output = Flow>>(attempt: impl Fn() -> F) -> Flow {
    let began = Instant::now();
    loop {
        let tried = attempt().await;
        if tried.is_ok() || began.elapsed() > HANG {
            return tried;
        }
        sleep(PAUSE).await;
    }
}

async fn requests_at_once(shared: &Shared) -> Flow {
    in_time(|| async {
        let mut asking = JoinSet::new();
        for _ in 0..limits().requests_in_flight {
            let question = shared.questions.borrow_mut().wait(Sender::Modern, 500);
            asking.spawn_local(ask(sent(shared, &question.message.to_bytes()).await?, question));
        }
        while let Some(asked) = asking.join_next().await {
            match asked {
                Ok(Ok(Outcome::Answered)) => {}
                other => return wrong(format!("{other:?}")),
            }
        }
        Ok(())
    })
    .await
}

async fn ask(mut connection: Connection, question: Question) -> Flow<Outcome> {
    judge(&question, &connection.answer().await?)
}

async fn streams_at_once(shared: &Shared) -> Flow {
    in_time(|| async {
        let mut open = Vec::new();
        for _ in 0..limits().streams {
            let id = json!(shared.questions.borrow_mut().nonce());
            let request = Sender::Modern.request(&id, "subscriptions/listen", json!({ "notifications": {} }));
            let mut connection = sent(shared, &request.to_bytes()).await?;
            let head = connection.head().await?;
            if head.status != 200 {
                return wrong(format!("status {} with {} open", head.status, open.len()));
            }
            open.push(connection);
        }
        Ok(())
    })
    .await
}

async fn held(shared: &Shared, answers: usize) -> Flow {
    in_time(|| async {
        match Unread::ask(shared, answers).await?.count().await? {
            (_, 0) => Ok(()),
            counts => wrong(format!("{} of {answers}", counts.0)),
        }
    })
    .await
}

/// Some requests run, with bytes behind them; their clients vanish, half of them by a reset. On a machine that pauses they may be over
/// before: then it is tried again.
async fn vanished(shared: &Shared) -> Flow {
    const BEHIND: [&[u8]; 3] = [b"", b"P", b"\r\n"];
    in_time(|| async {
        let began = Instant::now();
        let mut open = Vec::new();
        for place in 0..limits().requests_in_flight - 2 {
            let question = shared.questions.borrow_mut().wait(Sender::Modern, LONG);
            let behind = BEHIND.get(place % BEHIND.len()).copied().unwrap_or_default();
            open.push(sent(shared, &[&question.message.to_bytes(), behind].concat()).await?);
        }
        let all = i64::try_from(open.len()).unwrap_or_default();
        if running(shared, all).await?["running"] != all {
            return wrong(format!("{all} requests do not run"));
        }
        for (place, connection) in open.into_iter().enumerate() {
            if place.is_multiple_of(2) {
                connection.reset();
            }
        }
        running(shared, 0).await?;
        let took = began.elapsed();
        if took < Duration::from_millis(LONG) { Ok(()) } else { wrong(format!("they ran for {} ms", took.as_millis())) }
    })
    .await
}

async fn sent(shared: &Shared, bytes: &[u8]) -> Flow<Connection> {
    let mut connection = Connection::open(shared.address).await?;
    connection.send(bytes).await?;
    Ok(connection)
}
