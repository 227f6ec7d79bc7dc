//! Answers that a client does not read: code makes no more than the bytes of a connection, and goes on when they are read.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use grange_core::{Context, Limits, Server, Tool};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::talk::{Client, cancel, ids, marks, seconds};

const BLOB: usize = 128 * 1024;

/// More than the calls have, and less than an answer.
const PIPE: usize = 16 * 1024;

const CALLS: usize = 40;

/// A tool whose answer has 128 KiB, with progress before it if that is asked for; and how many answers were made. The pipe may hold 512 KiB.
fn server() -> (Server, Arc<AtomicUsize>) {
    let made = Arc::new(AtomicUsize::new(0));
    let counter = made.clone();
    let blob = Tool::builder().name("blob").call_without_arguments(move |cx: Context| {
        let made = counter.clone();
        async move {
            cx.progress((1.0, 1.0));
            made.fetch_add(1, Ordering::Relaxed);
            Ok("x".repeat(BLOB))
        }
    });
    let limits = Limits { message_bytes: BLOB, connection_bytes: 4 * BLOB, ..Limits::default() };
    let server = Server::builder("t", "1").tool(blob).limits(limits).build().expect("the definitions are right");
    (server, made)
}

fn call(id: usize, token: Option<usize>) -> Value {
    let mut meta = marks();
    if let Some(token) = token {
        meta["progressToken"] = json!(token);
    }
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": "blob", "_meta": meta } })
}

/// Sends all calls in one write, so that they are read before the output is congested.
async fn call_all(client: &mut Client, token: fn(usize) -> Option<usize>) {
    let lines: Vec<_> = (0..CALLS).map(|id| call(id, token(id)).to_string()).collect();
    client.write(format!("{}\n", lines.join("\n")).as_bytes()).await;
    sleep(Duration::from_secs(1)).await;
}

/// The ids of the answers, in order of their value.
fn answered(messages: &[Value]) -> Vec<u64> {
    let answers = messages.iter().filter(|message| message.get("method").is_none());
    let mut ids: Vec<_> = answers.map(|answer| answer["id"].as_u64().expect("a number")).collect();
    ids.sort_unstable();
    ids
}

#[tokio::test(start_paused = true)]
async fn w7_10_answers_that_are_not_read_are_bounded_in_bytes() {
    let (server, made) = server();
    let mut client = Client::over(server, PIPE);
    call_all(&mut client, |_| None).await;
    let before = made.load(Ordering::Relaxed);
    assert!((1..=5).contains(&before), "{before} answers were made for a client that reads nothing");
    assert_eq!(answered(&client.finish().await), (0..CALLS as u64).collect::<Vec<_>>());
    assert_eq!(made.load(Ordering::Relaxed), CALLS);
}

/// The answer of a job waits in it while its progress is not read.
#[tokio::test(start_paused = true)]
async fn w7_10_answers_behind_progress_are_bounded_in_bytes() {
    let (server, made) = server();
    let mut client = Client::over(server, PIPE);
    call_all(&mut client, Some).await;
    let before = made.load(Ordering::Relaxed);
    assert!((1..=5).contains(&before), "{before} answers were made for a client that reads nothing");
    let messages = client.finish().await;
    assert_eq!((messages.len(), answered(&messages).len()), (2 * CALLS, CALLS));
}

/// Jobs that wait for room are cancelled and time out like others.
#[tokio::test(start_paused = true)]
async fn w7_10_a_job_that_waits_for_room_times_out_and_can_be_cancelled() {
    let (server, made) = server();
    let mut client = Client::over(server, PIPE);
    let start = tokio::time::Instant::now();
    call_all(&mut client, |_| None).await;
    sleep(Duration::from_secs(70)).await;
    let mut rest = Vec::new();
    let before = made.load(Ordering::Relaxed);
    for _ in 0..CALLS {
        rest.push(client.answer().await);
    }
    let failed = rest.iter().filter(|answer| answer["error"]["code"] == -32603).count();
    assert_eq!((failed, made.load(Ordering::Relaxed), seconds(start)), (CALLS - before, before, 71));
    client.send(&call(CALLS, None)).await;
    client.send(&cancel(CALLS)).await;
    client.send(&call(CALLS + 1, None)).await;
    assert_eq!(*ids(&client.finish().await).last().expect("an answer"), CALLS + 1);
}
