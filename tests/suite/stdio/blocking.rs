//! Readers and tools that block their thread: all other requests are served as long as one worker is free.
//!
//! The server and its jobs share the workers; the client has its own thread. The test releases the blocked code after
//! the checks.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

use grange_core::{Context, Limits, Resource, Server, Tool};
use grange_stdio::pipe;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, duplex, split};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::talk::{PIPE, cancel, ids, marks, ping, read};

/// Longer than any step here; reached only by a failing test.
const LIMIT: Duration = Duration::from_secs(20);

/// Enough runs for the tasks to be distributed over the workers in every way.
const TIMES: usize = 40;

/// Blocks threads until it is open.
#[derive(Clone, Default)]
struct Gate(Arc<(Mutex<bool>, Condvar)>);

impl Gate {
    fn pass(&self) {
        let (is_open, opened) = &*self.0;
        // The time limit ends a failing test on a runtime with a paused clock.
        drop(opened.wait_timeout_while(is_open.lock().unwrap(), LIMIT, |is_open| !*is_open).unwrap());
    }

    fn open(&self) {
        *self.0.0.lock().unwrap() = true;
        self.0.1.notify_all();
    }
}

/// A client of a server whose `demo://blocks` waits for the gate and whose `demo://deaf` waits only for its
/// cancellation.
struct Talk {
    requests: Box<dyn AsyncWrite + Send + Unpin>,
    answers: BufReader<Box<dyn AsyncRead + Send + Unpin>>,
    serving: JoinHandle<Result<(), grange_core::Error>>,
    gate: Opens,
    begun: Arc<AtomicUsize>,
}

/// Opens the gate when dropped, so that the workers end after a failing test.
struct Opens(Gate);

impl Drop for Opens {
    fn drop(&mut self) {
        self.0.open();
    }
}

impl Talk {
    fn over(
        (requests, answers): (impl AsyncWrite + Send + Unpin + 'static, impl AsyncRead + Send + Unpin + 'static),
        (from, to): (impl AsyncRead + Send + 'static, impl AsyncWrite + Send + 'static),
    ) -> Self {
        let (gate, begun) = (Gate::default(), Arc::<AtomicUsize>::default());
        let serving = tokio::spawn(server(&gate, &begun).listen(pipe(from, to)));
        Self {
            requests: Box::new(requests),
            answers: BufReader::new(Box::new(answers)),
            serving,
            gate: Opens(gate),
            begun,
        }
    }

    fn in_memory() -> Self {
        let ((requests, from), (to, answers)) = (duplex(PIPE), duplex(PIPE));
        Self::over((requests, answers), (from, to))
    }

    #[cfg(unix)]
    fn over_a_socket() -> Self {
        let (near, far) = tokio::net::UnixStream::pair().unwrap();
        let ((answers, requests), (from, to)) = (split(near), split(far));
        Self::over((requests, answers), (from, to))
    }

    async fn send(&mut self, messages: &[Value]) {
        let lines: Vec<_> = messages.iter().map(Value::to_string).collect();
        self.requests.write_all((lines.join("\n") + "\n").as_bytes()).await.unwrap();
    }

    async fn answer(&mut self) -> Value {
        let mut line = String::new();
        timeout(LIMIT, self.answers.read_line(&mut line)).await.expect("an answer in time").unwrap();
        serde_json::from_str(&line).unwrap()
    }

    async fn answers(&mut self, count: usize) -> Vec<Value> {
        let mut answers = Vec::new();
        for _ in 0..count {
            answers.push(self.answer().await);
        }
        answers.sort_by_key(|answer| answer["id"].as_i64());
        answers
    }

    /// Waits until this many blocking readers run.
    async fn begun(&self, count: usize) {
        let begun = async {
            while self.begun.load(Ordering::SeqCst) < count {
                tokio::task::yield_now().await;
            }
        };
        timeout(LIMIT, begun).await.expect("the readers must start in time");
    }

    async fn finish(mut self) {
        self.requests.shutdown().await.unwrap();
        timeout(LIMIT, self.serving).await.expect("an end in time").unwrap().unwrap();
        let mut rest = String::new();
        self.answers.read_line(&mut rest).await.unwrap();
        assert_eq!(rest, "");
    }
}

fn server(gate: &Gate, begun: &Arc<AtomicUsize>) -> Server {
    let resource = |name: &'static str| Resource::builder().uri(format!("demo://{name}")).name(name);
    let (gate, blocks_begun, deaf_begun) = (gate.clone(), begun.clone(), begun.clone());
    let resources = [
        resource("blocks")
            .read(move |_cx| {
                let (gate, begun) = (gate.clone(), blocks_begun.clone());
                async move {
                    begun.fetch_add(1, Ordering::SeqCst);
                    gate.pass();
                    Ok("passed")
                }
            })
            .build(),
        resource("deaf")
            .read(move |cx| {
                let begun = deaf_begun.clone();
                async move {
                    begun.fetch_add(1, Ordering::SeqCst);
                    until_cancelled(&cx);
                    Ok("not sent")
                }
            })
            .build(),
        resource("quick").read(|_cx| async { Ok("quick") }).build(),
        resource("waits")
            .read(|_cx| async {
                turn().await;
                Ok("waited")
            })
            .build(),
    ];
    let steps = Tool::builder().name("steps").call_without_arguments(|cx| async move {
        for step in 1..=5 {
            cx.progress((f64::from(step), 5.0));
            turn().await;
            compute();
        }
        Ok("stepped")
    });
    Server::builder("tests", "1.0.0").resources(resources).tool(steps).limits(Limits::default()).build().unwrap()
}

/// Blocks until the cancellation.
fn until_cancelled(cx: &Context) {
    let (token, begun) = (cx.cancellation_token(), Instant::now());
    while !token.is_cancelled() && begun.elapsed() < LIMIT {
        std::thread::yield_now();
    }
}

/// Yields once. `yield_now` would wake only on the same worker, after that is idle.
async fn turn() {
    let mut is_over = false;
    poll_fn(|cx| {
        if std::mem::replace(&mut is_over, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Keeps its thread busy.
fn compute() {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_millis(2) {
        std::hint::spin_loop();
    }
}

fn call(id: i64, name: &str) -> Value {
    let mut meta = marks();
    meta["progressToken"] = json!("steps");
    let params = json!({ "name": name, "arguments": {}, "_meta": meta });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
}

async fn the_others_are_answered_while_one_blocks(mut talk: Talk) {
    talk.send(&[read(1, "blocks")]).await;
    talk.begun(1).await;
    talk.send(&[read(2, "quick"), read(3, "waits"), ping(4)]).await;
    assert_eq!(ids(&talk.answers(3).await), [2, 3, 4]);
    talk.gate.0.open();
    assert_eq!(talk.answer().await["id"], 1);
    talk.finish().await;
}

/// Sends all three in one write, so that they start together.
async fn three_at_once_are_answered_while_one_blocks(mut talk: Talk, order: [&str; 3]) {
    let requests: Vec<Value> = order.iter().zip(1..).map(|(name, id)| read(id, name)).collect();
    talk.send(&requests).await;
    let blocks = order.iter().position(|name| *name == "blocks").unwrap() + 1;
    let others: Vec<usize> = (1..=3).filter(|id| *id != blocks).collect();
    assert_eq!(
        ids(&talk.answers(2).await),
        others.iter().map(|id| json!(id)).collect::<Vec<_>>().iter().collect::<Vec<_>>()
    );
    talk.gate.0.open();
    assert_eq!(talk.answer().await["id"], json!(blocks));
    talk.finish().await;
}

async fn progress_arrives_while_another_blocks(mut talk: Talk) {
    talk.send(&[call(1, "steps"), read(2, "blocks")]).await;
    for step in 1..=5 {
        let messages = talk.answer().await;
        assert_eq!(
            (&messages["method"], messages["params"]["progress"].as_f64()),
            (&json!("notifications/progress"), Some(f64::from(step)))
        );
    }
    assert_eq!(talk.answer().await["id"], 1);
    talk.gate.0.open();
    assert_eq!(talk.answer().await["id"], 2);
    talk.finish().await;
}

async fn a_cancellation_reaches_a_reader_that_blocks(mut talk: Talk) {
    talk.send(&[read(1, "deaf"), read(2, "blocks")]).await;
    talk.begun(2).await;
    talk.send(&[cancel(1), ping(3)]).await;
    assert_eq!(talk.answer().await["id"], 3);
    // The blocked worker is free again, so two more can run.
    talk.send(&[read(1, "quick"), read(4, "waits")]).await;
    assert_eq!(ids(&talk.answers(2).await), [1, 4]);
    talk.gate.0.open();
    assert_eq!(talk.answer().await["id"], 2);
    talk.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn w7_8_a_blocking_reader_delays_no_other_answer() {
    for _ in 0..TIMES {
        the_others_are_answered_while_one_blocks(Talk::in_memory()).await;
        three_at_once_are_answered_while_one_blocks(Talk::in_memory(), ["blocks", "quick", "waits"]).await;
        three_at_once_are_answered_while_one_blocks(Talk::in_memory(), ["waits", "blocks", "quick"]).await;
        three_at_once_are_answered_while_one_blocks(Talk::in_memory(), ["waits", "quick", "blocks"]).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn w7_8_a_blocking_reader_delays_no_progress() {
    for _ in 0..TIMES {
        progress_arrives_while_another_blocks(Talk::in_memory()).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn w7_8_a_blocking_reader_delays_no_cancellation() {
    for _ in 0..TIMES {
        a_cancellation_reaches_a_reader_that_blocks(Talk::in_memory()).await;
    }
}

/// The blocked worker may be the one that polled the socket.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn w7_8_a_blocking_reader_does_not_stop_the_polling_of_a_socket() {
    for _ in 0..TIMES {
        the_others_are_answered_while_one_blocks(Talk::over_a_socket()).await;
        three_at_once_are_answered_while_one_blocks(Talk::over_a_socket(), ["blocks", "quick", "waits"]).await;
        three_at_once_are_answered_while_one_blocks(Talk::over_a_socket(), ["waits", "quick", "blocks"]).await;
        progress_arrives_while_another_blocks(Talk::over_a_socket()).await;
    }
}

/// With one worker, a blocking reader delays all other requests, but none is lost.
#[tokio::test]
async fn w7_8_on_a_runtime_with_one_thread_all_requests_are_answered() {
    let mut talk = Talk::in_memory();
    talk.gate.0.open();
    talk.send(&[read(1, "blocks"), read(2, "waits"), call(3, "steps"), ping(4)]).await;
    let messages = talk.answers(9).await;
    assert_eq!(ids(&messages.into_iter().filter(|messages| messages["id"].is_i64()).collect::<Vec<_>>()), [1, 2, 3, 4]);
    talk.finish().await;
}

#[test]
fn w7_8_a_missing_runtime_is_an_error() {
    let (gate, begun) = (Gate::default(), Arc::default());
    let mut listening = pin!(server(&gate, &begun).listen(pipe(tokio::io::empty(), tokio::io::sink())));
    let Poll::Ready(Err(error)) = listening.as_mut().poll(&mut std::task::Context::from_waker(Waker::noop())) else {
        panic!("serving must fail")
    };
    assert!(error.to_string().contains("tokio runtime"), "{error}");
}
