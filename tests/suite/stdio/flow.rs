//! Many requests at once, large answers, and a client that does not read them.

use std::time::Duration;

use grange_core::Limits;
use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::time::{Instant, sleep, timeout};

use super::talk::{Client, SLOW, client, code, ids, ping, read, seconds, server, text};

#[tokio::test(start_paused = true)]
async fn w7_3_requests_run_side_by_side() {
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
async fn w7_3_no_more_run_at_once_than_the_bound() {
    let (server, runs) = server(Limits { requests_in_flight: 2, requests_waiting: 3, ..Limits::default() });
    let mut client = Client::of(server);
    for id in 1..=6 {
        client.send(&read(id, "slow")).await;
    }
    let refused = client.answer().await;
    assert_eq!((&refused["id"], refused["error"].is_object()), (&Value::from(6), true));
    assert_eq!(ids(&client.finish().await), [1, 2, 3, 4, 5]);
    assert_eq!(runs.most(), 2);
}

#[tokio::test(start_paused = true)]
async fn w7_3_a_large_reply_leaves_in_one_piece() {
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

/// Sends requests until the server takes no more; gives how many bytes of them it took.
async fn flood(client: &mut Client, request: &Value) -> usize {
    let line = format!("{request}\n");
    let mut sent = 0;
    while let Ok(written) =
        timeout(Duration::from_secs(1), client.requests.write(line[sent % line.len()..].as_bytes())).await
    {
        sent += written.unwrap();
    }
    sent
}

#[tokio::test(start_paused = true)]
async fn w7_3_nothing_more_is_read_while_the_answers_are_not_drained() {
    let (mut client, _) = client();
    // Each takes 10 MiB of the output, none of the memory.
    let request = read(Value::Null, "large").to_string().replace("null", "1");
    let request: Value = serde_json::from_str(&request).unwrap();
    let sent = flood(&mut client, &request).await;
    let length = request.to_string().len() + 1;
    // Two pipes' worth of requests at most: one in the pipe, one read ahead.
    assert!(sent <= 2 * super::talk::PIPE + length, "{sent} bytes were taken");
    let whole = sent / length;
    client.write(&format!("{request}\n").as_bytes()[sent % length..]).await;
    client.send(&ping("last")).await;
    for _ in 0..=whole {
        assert_eq!(text(&client.answer().await).len(), 10 * 1024 * 1024);
    }
    assert_eq!(ids(&client.finish().await), ["last"]);
}

#[tokio::test(start_paused = true)]
async fn w7_3_an_output_drained_in_one_go_is_gone_on_with() {
    let (server, _) = server(Limits::default());
    let mut client = Client::over(server, 4 * 1024 * 1024);
    let requests = 20_000;
    let lines: String = (0..requests).map(|id| format!("{}\n", read(id, "note"))).collect();
    client.write(&lines.as_bytes()[..lines.len() - 1]).await;
    assert_eq!(client.finish().await.len(), requests);
}

#[tokio::test(start_paused = true)]
async fn w7_3_jobs_go_on_while_the_answers_are_not_drained() {
    let (mut client, runs) = client();
    client.send(&read(1, "slow")).await;
    client.send(&read(2, "large")).await;
    sleep(SLOW * 2).await;
    assert_eq!(runs.over(), 1);
    assert_eq!(ids(&client.finish().await), [2, 1]);
}

#[tokio::test(start_paused = true)]
async fn w7_3_answers_that_are_not_drained_make_no_room_for_more_jobs() {
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
async fn w7_3_a_request_over_its_time_is_an_internal_error() {
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
