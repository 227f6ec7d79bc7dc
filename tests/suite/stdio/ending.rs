//! How serving ends: at the end of the input, by a shutdown, or because the output is closed.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use grange_core::{Error, Limits};
use grange_stdio::pipe;
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf, duplex};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::talk::{Client, PIPE, SLOW, client, ids, marks, ping, read, seconds, server};

fn listen(id: u32) -> Value {
    let params = json!({ "notifications": {}, "_meta": marks() });
    json!({ "jsonrpc": "2.0", "id": id, "method": "subscriptions/listen", "params": params })
}

#[tokio::test(start_paused = true)]
async fn w7_4_at_the_end_of_input_every_accepted_request_is_answered() {
    let (server, _) = server(Limits { requests_in_flight: 2, ..Limits::default() });
    let mut client = Client::of(server);
    let start = Instant::now();
    for id in 1..=4 {
        client.send(&read(id, "slow")).await;
    }
    client.write(read(5, "note").to_string().as_bytes()).await;
    assert_eq!(ids(&client.finish().await), [5, 1, 2, 3, 4]);
    assert_eq!(seconds(start), 2 * SLOW.as_secs());
}

#[tokio::test(start_paused = true)]
async fn w7_4_an_empty_input_has_no_answers() {
    let (client, _) = client();
    let start = Instant::now();
    assert!(client.finish().await.is_empty());
    assert_eq!(seconds(start), 0);
}

#[tokio::test(start_paused = true)]
async fn w7_4_held_streams_end_with_their_result() {
    let (mut client, _) = client();
    for id in 1..=2 {
        client.send(&listen(id)).await;
        assert_eq!(client.answer().await["method"], "notifications/subscriptions/acknowledged");
    }
    let start = Instant::now();
    let rest = client.finish().await;
    let mut ended: Vec<_> = rest.iter().filter(|text| text["result"].is_object()).map(|text| &text["id"]).collect();
    ended.sort_by_key(|id| id.as_i64());
    assert_eq!(ended, [1, 2]);
    assert_eq!(seconds(start), 0);
}

#[tokio::test(start_paused = true)]
async fn w7_4_requests_that_exceed_the_grace_period_are_dropped() {
    let (mut client, runs) = client();
    client.send(&read(1, "stuck")).await;
    client.send(&read(2, "slow")).await;
    let start = Instant::now();
    assert_eq!(ids(&client.finish().await), [2]);
    assert_eq!((seconds(start), runs.running()), (10, 0));
}

#[tokio::test(start_paused = true)]
async fn w7_4_a_client_that_never_reads_does_not_exceed_the_grace_period() {
    let (mut client, _) = client();
    client.send(&read(1, "large")).await;
    let start = Instant::now();
    let Client { requests, answers, serving } = client;
    drop(requests);
    serving.await.unwrap().unwrap();
    assert_eq!(seconds(start), 10);
    drop(answers);
}

#[tokio::test(start_paused = true)]
async fn w7_4_a_broken_output_ends_serving() {
    let (mut client, runs) = client();
    client.send(&read(1, "stuck")).await;
    client.send(&ping(2)).await;
    assert_eq!(client.answer().await["id"], 2);
    assert_eq!(runs.running(), 1);
    let start = Instant::now();
    let Client { mut requests, answers, serving } = client;
    drop(answers);
    requests.write_all(format!("{}\n", ping(3)).as_bytes()).await.unwrap();
    serving.await.unwrap().unwrap();
    assert_eq!((seconds(start), runs.running()), (0, 0));
}

/// An output that accepts all bytes and fails later, as a pipe behind a writing thread does.
struct BreaksLater {
    broken: oneshot::Receiver<()>,
}

impl AsyncWrite for BreaksLater {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.broken).poll(cx) {
            Poll::Ready(_) => Poll::Ready(Err(io::ErrorKind::BrokenPipe.into())),
            Poll::Pending => Poll::Ready(Ok(())),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// With no input and no pending output, only the output's wake-up shows that it failed.
#[tokio::test(start_paused = true)]
async fn w7_4_an_output_that_breaks_after_the_last_write_ends_serving() {
    let (server, _) = server(Limits::default());
    let (mut requests, input) = duplex(PIPE);
    let (break_it, broken) = oneshot::channel();
    let serving = tokio::spawn(server.listen(pipe(input, BreaksLater { broken })));
    requests.write_all(format!("{}\n", ping(1)).as_bytes()).await.unwrap();
    tokio::task::yield_now().await;
    break_it.send(()).unwrap();
    let ended = tokio::time::timeout(std::time::Duration::from_secs(1), serving).await;
    ended.expect("the wake-up must end serving").unwrap().unwrap();
    drop(requests);
}

#[tokio::test(start_paused = true)]
async fn w7_4_a_shutdown_answers_all_accepted_requests() {
    let ((mut requests, read_end), (write_end, mut answers)) = (duplex(PIPE), duplex(PIPE));
    let (stop, stopped) = oneshot::channel::<()>();
    let transport = pipe(read_end, write_end).shutdown(async { drop(stopped.await) });
    let serving = tokio::spawn(server(Limits::default()).0.listen(transport));
    requests.write_all(format!("{}\n{}\n", read(1, "slow"), ping(2)).as_bytes()).await.unwrap();
    let mut first = vec![0; ping(2).to_string().len()];
    answers.read_exact(&mut first).await.unwrap();
    stop.send(()).unwrap();
    tokio::task::yield_now().await;
    requests.write_all(format!("{}\n", ping(3)).as_bytes()).await.unwrap_or_default();
    let mut rest = String::new();
    answers.read_to_string(&mut rest).await.unwrap();
    serving.await.unwrap().unwrap();
    assert!(rest.contains("\"id\":1") && !rest.contains("\"id\":3"), "{rest}");
}

/// An input that fails instead of ending.
struct Failing(io::ErrorKind);

impl AsyncRead for Failing {
    fn poll_read(self: Pin<&mut Self>, _: &mut Context<'_>, _: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Err(self.0.into()))
    }
}

async fn serve_then_fail(kind: io::ErrorKind) -> (String, Result<(), Error>) {
    let request = format!("{}\n", read(1, "slow"));
    let (write, mut answers) = duplex(PIPE);
    let input = io::Cursor::new(request).chain(Failing(kind));
    let served = server(Limits::default()).0.listen(pipe(input, write)).await;
    let mut text = String::new();
    answers.read_to_string(&mut text).await.unwrap();
    (text, served)
}

#[tokio::test(start_paused = true)]
async fn w7_4_a_failed_input_is_reported_after_the_answers() {
    let (text, served) = serve_then_fail(io::ErrorKind::PermissionDenied).await;
    assert!(text.contains("\"id\":1"));
    assert!(matches!(served, Err(Error::Io(error)) if error.kind() == io::ErrorKind::PermissionDenied));
}

#[tokio::test(start_paused = true)]
async fn w7_4_a_connection_reset_is_an_end_of_input() {
    let (_, served) = serve_then_fail(io::ErrorKind::ConnectionReset).await;
    served.unwrap();
}
