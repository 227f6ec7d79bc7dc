//! Many requests at once, large answers, and a client that does not read them.

use std::time::Duration;

use grange_core::Limits;
use grange_stdio::pipe;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, BufWriter, duplex};
use tokio::time::{Instant, sleep, timeout};

use super::talk::{Client, PAGE, PIPE, SLOW, cancel, client, code, ids, ping, read, seconds, server, text};

#[tokio::test(start_paused = true)]
async fn w7_3_requests_run_concurrently() {
    let (mut client, _) = client();
    let start = Instant::now();
    for id in 1..=3 {
        client.send(&read(id, "slow")).await;
    }
    client.send(&read(4, "note")).await;
    assert_eq!(client.answer().await["id"], 4);
    assert_eq!(seconds(start), 0);
    assert_eq!(client.finish().await.len(), 3);
    assert_eq!(seconds(start), SLOW.as_secs());
}

#[tokio::test(start_paused = true)]
async fn w7_3_no_more_requests_run_than_the_limit() {
    let (server, runs) = server(Limits { requests_in_flight: 2, requests_waiting: 3, ..Limits::default() });
    let mut client = Client::of(server);
    for id in 1..=6 {
        client.send(&read(id, "slow")).await;
    }
    let rejected = client.answer().await;
    assert_eq!((&rejected["id"], rejected["error"].is_object()), (&Value::from(6), true));
    assert_eq!(ids(&client.finish().await), [1, 2, 3, 4, 5]);
    assert_eq!(runs.most(), 2);
}

#[tokio::test(start_paused = true)]
async fn w7_3_a_large_reply_is_one_line() {
    let (mut client, _) = client();
    client.send(&read(1, "large")).await;
    client.send(&read(2, "note")).await;
    client.send(&read(3, "large")).await;
    let answers = client.finish().await;
    assert_eq!(ids(&answers), [1, 2, 3]);
    for large in [&answers[0], &answers[2]] {
        assert_eq!(text(large).len(), 10 * 1024 * 1024);
        assert!(text(large).as_bytes().chunks(16).all(|line| line == b"0123456789abcde\n"));
    }
}

#[tokio::test(start_paused = true)]
async fn w7_3_a_reader_that_is_always_ready_does_not_block_others() {
    let (mut client, runs) = client();
    client.send(&read(1, "restless")).await;
    client.send(&read(2, "note")).await;
    assert_eq!(client.answer().await["id"], 2);
    assert_eq!(runs.running(), 1);
    client.send(&cancel(1)).await;
    client.send(&ping(3)).await;
    assert_eq!(client.answer().await["id"], 3);
    assert_eq!(runs.running(), 0);
    assert!(client.finish().await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn w7_3_an_answer_is_not_left_in_a_buffer() {
    let ((mut requests, input), (output, answers)) = (duplex(PIPE), duplex(PIPE));
    let serving = tokio::spawn(server(Limits::default()).0.listen(pipe(input, BufWriter::new(output))));
    requests.write_all(format!("{}\n", ping(1)).as_bytes()).await.unwrap();
    let mut answer = String::new();
    BufReader::new(answers).read_line(&mut answer).await.unwrap();
    assert!(answer.contains("\"id\":1"));
    drop(requests);
    serving.await.unwrap().unwrap();
}

/// Sends a line repeatedly until the server reads no more; returns the number of bytes.
async fn flood(client: &mut Client, line: &str) -> usize {
    let mut sent = 0;
    loop {
        let rest = &line.as_bytes()[sent % line.len()..];
        let Ok(written) = timeout(Duration::from_secs(1), client.requests.write(rest)).await else { return sent };
        sent += written.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn w7_3_input_is_not_read_while_answers_wait() {
    let (mut client, _) = client();
    let request = read(1, "page");
    let line = format!("{request}\n");
    let sent = flood(&mut client, &line).await;
    // One chunk read ahead, one full pipe, and the few requests whose answers wait.
    assert!(sent <= 2 * PIPE + 8 * line.len(), "{sent} bytes were taken");
    for _ in 0..sent / line.len() {
        assert_eq!(text(&client.answer().await).len(), PAGE);
    }
    client.write(&line.as_bytes()[sent % line.len()..]).await;
    assert_eq!(client.answer().await["id"], 1);
    client.send(&ping("last")).await;
    assert_eq!(ids(&client.finish().await), ["last"]);
}

#[tokio::test(start_paused = true)]
async fn w7_3_writing_continues_after_the_output_is_drained() {
    let (server, _) = server(Limits::default());
    let mut client = Client::over(server, 4 * 1024 * 1024);
    let requests = 20_000;
    let lines: Vec<_> = (0..requests).map(|id| read(id, "note").to_string()).collect();
    client.write(lines.join("\n").as_bytes()).await;
    assert_eq!(client.finish().await.len(), requests);
}

#[tokio::test(start_paused = true)]
async fn w7_3_jobs_run_while_answers_wait() {
    let (mut client, runs) = client();
    client.send(&read(1, "slow")).await;
    client.send(&read(2, "large")).await;
    sleep(SLOW * 2).await;
    assert_eq!(runs.over(), 1);
    assert_eq!(ids(&client.finish().await), [2, 1]);
}

#[tokio::test(start_paused = true)]
async fn w7_3_waiting_answers_keep_their_permits() {
    let (server, runs) = server(Limits { requests_in_flight: 2, ..Limits::default() });
    let mut client = Client::of(server);
    for (id, name) in [(1, "slow"), (2, "slow"), (3, "slow"), (4, "slow"), (5, "large")] {
        client.send(&read(id, name)).await;
    }
    sleep(SLOW * 10).await;
    assert_eq!((runs.over(), runs.running()), (2, 0));
    assert_eq!(ids(&client.finish().await), [5, 1, 2, 3, 4]);
}

#[tokio::test(start_paused = true)]
async fn w7_3_a_timed_out_request_is_an_internal_error() {
    let (mut client, runs) = client();
    let start = Instant::now();
    client.send(&read(1, "stuck")).await;
    sleep(Duration::from_secs(30)).await;
    client.send(&read(2, "stuck")).await;
    client.send(&read(3, "slow")).await;
    let answers = [client.answer().await, client.answer().await];
    assert_eq!(ids(&answers), [3, 1]);
    assert_eq!((code(&answers[1]), seconds(start)), (-32603, 60));
    assert_eq!(client.answer().await["id"], 2);
    assert_eq!((seconds(start), runs.running()), (90, 0));
    assert!(client.finish().await.is_empty());
}
