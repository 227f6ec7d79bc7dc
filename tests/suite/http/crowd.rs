//! The shutdown of a server with many connections.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use grange_core::Limits;
use http_body_util::BodyExt;
use serde_json::json;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::drive::{Answer, Post, events, note, running, server};
use super::sockets::{Serving, soon};

const IDLE: usize = 1000;
const STREAMS: usize = 100;
const READS: usize = 50;

/// Every read is answered, every stream ends with its result, and every connection closes.
#[tokio::test]
async fn w5_13_a_shutdown_completes_many_connections() {
    let (gate, begun) = (Arc::new(Semaphore::new(0)), Arc::new(AtomicUsize::new(0)));
    let (held, count) = (gate.clone(), begun.clone());
    let waiting = running(move |_| {
        count.fetch_add(1, Ordering::SeqCst);
        let held = held.clone();
        async move {
            held.acquire().await?.forget();
            Ok("released")
        }
    });
    let serving = Serving::new(server([waiting, note()], Limits::default()), |http| http).await;
    let mut idle = Vec::new();
    for _ in 0..IDLE {
        let mut client = serving.http1().await;
        let answer = soon(client.send_request(serving.request(Post::read(), "/mcp"))).await.unwrap();
        assert_eq!(Answer::of(answer).await.text(), "note");
        idle.push(client);
    }
    let (mut streams, mut reads) = (JoinSet::new(), JoinSet::new());
    for _ in 0..STREAMS {
        let mut client = serving.http1().await;
        let stream = soon(client.send_request(serving.request(Post::listen(), "/mcp"))).await.unwrap();
        streams.spawn(async move { (stream.into_body().collect().await.unwrap().to_bytes(), client) });
    }
    for _ in 0..READS {
        let (mut client, request) = (serving.http1().await, serving.request(Post::read_of("docs://run"), "/mcp"));
        reads.spawn(async move { Answer::of(client.send_request(request).await.unwrap()).await.text() });
    }
    while begun.load(Ordering::SeqCst) < READS {
        tokio::task::yield_now().await;
    }

    serving.stop.notify_one();
    while let Some(stream) = soon(streams.join_next()).await {
        let messages = events(std::str::from_utf8(&stream.unwrap().0).unwrap());
        assert_eq!((messages.len(), &messages[1]["result"]["resultType"]), (3, &json!("complete")), "{messages:?}");
    }
    assert!(!serving.task.is_finished(), "reads are under way");
    gate.add_permits(READS);
    while let Some(text) = soon(reads.join_next()).await {
        assert_eq!(text.unwrap(), "released");
    }
    soon(serving.task).await.unwrap().unwrap();
    for mut client in idle {
        assert!(soon(client.ready()).await.is_err(), "an idle connection was left open");
    }
}
