//! What a pipe holds for its client: the bytes are bounded, and nothing is kept that is not needed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use grange_core::{Action, Context, JobEvent, Limits, Server, Tool};
use serde_json::{Value, json};

use super::fixture;
use crate::raw::{Pipe, text};

const BUSY: i64 = 503;

/// A pipe that may hold 1 MiB.
fn pipe(version: &str) -> Pipe {
    let limits =
        Limits { requests_in_flight: 2, message_bytes: 1 << 20, connection_bytes: 1 << 20, ..Limits::default() };
    Pipe::opened(&fixture::limited(limits), version)
}

/// A read that never ends, with something beside its URI.
fn wait(id: &Value, beside: &str) -> Value {
    let params = json!({ "uri": "docs://wait", "x": beside });
    json!({ "jsonrpc": "2.0", "id": id, "method": "resources/read", "params": params })
}

/// Sends these until one is rejected as busy; returns how many were accepted.
fn accepted(pipe: &mut Pipe, message: impl Fn(usize) -> Value) -> usize {
    for count in 0..500 {
        let answers = pipe.say(&message(count).to_string());
        if let [answer] = &answers[..] {
            assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(BUSY), &message(count)["id"]));
            return count;
        }
        assert!(answers.is_empty(), "{answers:?}");
    }
    panic!("as many requests wait as were sent")
}

fn cancel(pipe: &mut Pipe, id: &Value) {
    let params = json!({ "requestId": id });
    assert!(
        pipe.say(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }).to_string())
            .is_empty()
    );
}

#[test]
fn w7_10_requests_that_wait_are_bounded_in_bytes() {
    let mut pipe = pipe("2025-11-25");
    let beside = "x".repeat(200_000);
    let message = |count| wait(&json!(count), &beside);
    // Each is kept with a line of 200 kB and at most 128 KiB for its URI. Two run, one waits.
    assert_eq!(accepted(&mut pipe, message), 3);
    assert!(pipe.connection.held_bytes() <= 1 << 20);
    // What needs nothing kept is still served, and what is cancelled gives its room back.
    assert_eq!(pipe.ask(r#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#)["result"], json!({}));
    cancel(&mut pipe, &json!(2));
    assert!(pipe.say(&message(3).to_string()).is_empty());
    for id in [0, 1, 3] {
        cancel(&mut pipe, &json!(id));
    }
    assert_eq!((pipe.connection.held_bytes(), pipe.connection.is_idle()), (0, true));
}

#[test]
fn w7_10_ids_that_wait_are_bounded_in_bytes() {
    let mut pipe = pipe("2025-11-25");
    let id = |count| json!(format!("{count:04000}"));
    let waiting = accepted(&mut pipe, |count| wait(&id(count), ""));
    // A line of 4.1 kB, its bytes again for the URI, and three copies of the id.
    assert!((45..=55).contains(&waiting), "{waiting}");
    cancel(&mut pipe, &id(7));
    assert!(pipe.say(&wait(&id(7), "").to_string()).is_empty());
}

#[test]
fn w7_10_held_streams_are_bounded_by_their_ids() {
    let mut pipe = pipe("2025-11-25");
    let listen = |count: usize| {
        let params = json!({ "notifications": {}, "x": "x".repeat(20_000) });
        crate::raw::modern_body(&json!(format!("{count:04000}")), "subscriptions/listen", params)
    };
    let held = (0..500).find(|count| pipe.ask(&listen(*count).to_string())["error"]["code"] == BUSY);
    assert!(held.is_some_and(|held| (80..=90).contains(&held)), "{held:?}");
}

/// The bytes of one line, and whether they are still in memory.
struct Owned(Vec<u8>, Arc<AtomicBool>);

impl AsRef<[u8]> for Owned {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        self.1.store(false, Ordering::Relaxed);
    }
}

/// A line whose memory is watched.
fn watched(line: &Value) -> (Bytes, Arc<AtomicBool>) {
    let is_kept = Arc::new(AtomicBool::new(true));
    (Bytes::from_owner(Owned(line.to_string().into_bytes(), is_kept.clone())), is_kept)
}

#[test]
fn w7_10_members_of_a_batch_are_bounded_in_bytes_and_do_not_keep_each_other() {
    let mut pipe = pipe("2025-03-26");
    let members =
        [wait(&json!(1), ""), json!({ "jsonrpc": "2.0", "method": "x", "params": { "x": "x".repeat(500_000) } })];
    let (line, is_kept) = watched(&json!(members));
    pipe.connection.handle_frame(&line);
    drop(line);
    assert!(pipe.drive().is_empty() && pipe.jobs.len() == 1);
    assert!(!is_kept.load(Ordering::Relaxed), "a member that waits keeps its batch");
    assert!(pipe.connection.held_bytes() < 1000);
    let beside = "x".repeat(200_000);
    let answers = pipe.say(&Value::from((2..7).map(|id| wait(&json!(id), &beside)).collect::<Vec<_>>()).to_string());
    let busy: Vec<_> =
        answers.iter().filter(|answer| answer["error"]["code"] == BUSY).map(|answer| &answer["id"]).collect();
    assert_eq!(busy, [5, 6], "{answers:?}");
}

/// Asks the client twice, and gives the lengths of the answers, or the errors.
async fn twice(cx: Context) -> Result<String, grange_core::ToolError> {
    let ask = || cx.request("x/y", json!({}), Duration::from_secs(5));
    let (first, second) = tokio::join!(ask(), ask());
    let length = |answer: Result<Value, _>| {
        answer.map_or_else(|error| format!("{error}"), |value| value.to_string().len().to_string())
    };
    Ok(format!("{} {}", length(first), length(second)))
}

/// Calls [`twice`], and answers both requests before the code that waits for them runs.
fn answered_twice(limits: Limits, bytes: usize) -> String {
    let tool = Tool::builder().name("twice").call_without_arguments(twice);
    let server = Server::builder("t", "1").tool(tool).limits(limits).build().expect("the definitions are right");
    let mut pipe = Pipe::opened(&server, "2025-11-25");
    pipe.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    let call = json!({ "jsonrpc": "2.0", "id": "call", "method": "tools/call", "params": { "name": "twice" } });
    let asked: Vec<_> = pipe.say(&call.to_string()).iter().map(|request| request["id"].clone()).collect();
    assert_eq!(asked.len(), 2);
    for id in asked {
        let (line, is_kept) = watched(
            &json!({ "jsonrpc": "2.0", "id": id, "result": { "x": "x".repeat(bytes) }, "y": "y".repeat(1000) }),
        );
        pipe.connection.handle_frame(&line);
        drop(line);
        assert!(!is_kept.load(Ordering::Relaxed), "an answer keeps more than its result");
    }
    assert!(pipe.connection.held_bytes() > 0);
    let answers = pipe.drive();
    assert!(pipe.connection.held_bytes() == 0, "what was read is not held");
    answers[0]["result"]["content"][0]["text"].as_str().expect("a text").to_owned()
}

#[test]
fn w7_10_answers_that_no_code_takes_are_bounded_in_bytes() {
    let limits = Limits { message_bytes: 2000, answer_bytes: 5000, connection_bytes: 2000, ..Limits::default() };
    assert_eq!(answered_twice(limits.clone(), 3000), "3008 3008");
    let answer = answered_twice(limits, 4000);
    assert!(
        answer.starts_with("4008 the client's answer is invalid: ") && answer.contains("connection_bytes"),
        "{answer}"
    );
}

/// Author code that is being polled cannot be dropped, so a cancelled request is held until its job is dropped.
#[test]
fn w7_10_a_cancelled_request_is_held_until_its_job_is_dropped() {
    let mut pipe = pipe("2025-11-25");
    pipe.say(&wait(&json!(1), "").to_string());
    let held = pipe.connection.held_bytes();
    let cancelled = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    pipe.connection.handle_frame(&Bytes::from_static(cancelled.as_bytes()));
    assert!(matches!(pipe.connection.poll_action(), Some(Action::Cancel(_))));
    assert_eq!(pipe.connection.held_bytes(), held);
    pipe.jobs.clear();
    assert_eq!(pipe.connection.held_bytes(), 0);
}

/// A driver that has no room for answers must know of one that waits behind another message.
#[test]
fn w7_10_a_job_says_how_long_the_answer_is_that_waits_behind_progress() {
    let tool = Tool::builder().name("done").call_without_arguments(|cx| async move {
        cx.progress((1.0, 1.0));
        Ok("done")
    });
    let server = Server::builder("t", "1").tool(tool).build().expect("the definitions are right");
    let mut pipe = Pipe::opened(&server, "2025-11-25");
    let params = json!({ "name": "done", "_meta": { "progressToken": 1 } });
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    pipe.connection.handle_frame(&Bytes::from(call.to_string()));
    let Some(Action::Start(_, mut job)) = pipe.connection.poll_action() else { panic!("a job starts") };
    assert_eq!(job.unsent_bytes(), 0);
    assert!(matches!(job.poll_now(), Poll::Ready(JobEvent::Event(_))));
    let waits = job.unsent_bytes();
    let Poll::Ready(JobEvent::Done(answer, _)) = job.poll_now() else { panic!("the answer follows") };
    assert_eq!((waits, job.unsent_bytes()), (text(answer).len(), 0));
}
