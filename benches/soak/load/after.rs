//! After the load: the server must have released everything.

use std::time::Duration;

use grange_benches::process::Served;
use grange_benches::soak::COUNTS;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::Result;
use crate::failure::{Failure, Flow};
use crate::http1::{Connection, HANG};
use crate::message::Sender;
use crate::oracle::{Outcome, json as read_json, judge};
use crate::question::Expected;
use crate::report::Checks;
use crate::shared::Shared;

/// The time between two polls.
const PAUSE: Duration = Duration::from_millis(50);

/// The server's counters.
pub(crate) async fn counts(shared: &Shared) -> Flow<Value> {
    let began = Instant::now();
    while began.elapsed() < HANG {
        let params = json!({ "uri": COUNTS });
        let question = shared.questions.borrow_mut().ask(Sender::Modern, "resources/read", params, Expected::Anything);
        let mut connection = Connection::open(shared.address).await?;
        connection.send(&question.message.to_bytes()).await?;
        let answer = connection.answer().await?;
        if judge(&question, &answer)? == Outcome::Answered {
            let received = read_json(&answer.body)?;
            return read_json(received["result"]["contents"][0]["text"].as_str().unwrap_or_default().as_bytes());
        }
        sleep(PAUSE).await;
    }
    Err(Failure::wrong("the server stays busy"))
}

/// The number of running author functions, once it is `wanted`, or after a long time.
pub(crate) async fn running(shared: &Shared, wanted: i64) -> Flow<Value> {
    let began = Instant::now();
    loop {
        let found = counts(shared).await?;
        if found["running"] == wanted || began.elapsed() > HANG {
            return Ok(found);
        }
        sleep(PAUSE).await;
    }
}

/// Checks that no author code runs, that none failed except on purpose, and that all descriptors are closed.
pub(crate) async fn check(shared: &Shared, served: &Served, at_start: usize, checks: &mut Checks) -> Result<()> {
    match running(shared, 0).await {
        Ok(counts) => {
            let what = format!("no reader or tool runs on, and none failed but on purpose: {counts}");
            checks.check(counts["running"] == 0 && counts["unexpected"] == 0, what);
        }
        Err(failure) => checks.check(false, format!("the counters of the server: {failure:?}")),
    }
    let began = Instant::now();
    while served.descriptors()? > at_start && began.elapsed() < HANG {
        sleep(PAUSE).await;
    }
    let left = served.descriptors()?;
    let what = format!("{left} descriptors after the load, {at_start} before");
    checks.check(left <= at_start, what);
    println!("  {} KiB then, {} KiB at most", served.memory_kib("VmRSS:")?, served.memory_kib("VmHWM:")?);
    Ok(())
}
