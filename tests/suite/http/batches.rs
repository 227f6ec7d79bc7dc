//! A batch is as many requests as it has: for the in-flight limit, for time, and for cancellation.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use grange_core::{Limits, Resource};
use grange_http::HttpService;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::drive::{NOTE, Post, note, running, server};

/// How many readers run, and the most that ran at once.
#[derive(Default)]
struct Runs {
    now: AtomicUsize,
    most: AtomicUsize,
    ended: AtomicUsize,
}

/// A resource whose reader takes a second.
fn slow(runs: &Arc<Runs>) -> Resource {
    let runs = runs.clone();
    running(move |cx| {
        let runs = runs.clone();
        async move {
            let now = runs.now.fetch_add(1, Ordering::SeqCst) + 1;
            runs.most.fetch_max(now, Ordering::SeqCst);
            cx.sleep(Duration::from_secs(1)).await;
            runs.now.fetch_sub(1, Ordering::SeqCst);
            runs.ended.fetch_add(1, Ordering::SeqCst);
            Ok("slow")
        }
    })
}

fn read(id: usize, uri: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "resources/read", "params": { "uri": uri } })
}

fn batch(members: usize) -> Post {
    Post::of((0..members).map(|id| read(id, "docs://run")).collect::<Value>().to_string())
}

fn limits(requests_in_flight: usize) -> Limits {
    Limits { requests_in_flight, ..Limits::default() }
}

#[tokio::test(start_paused = true)]
async fn w5_14_the_members_of_a_batch_obey_the_in_flight_limit() {
    let runs = Arc::new(Runs::default());
    let service = HttpService::new(server([slow(&runs)], limits(4)));
    let answer = batch(100).send(&service).await.json();
    let ids: Vec<_> = answer.as_array().unwrap().iter().map(|each| each["id"].as_u64().unwrap()).collect();
    assert_eq!(ids, (0..100).collect::<Vec<u64>>());
    assert_eq!(runs.most.load(Ordering::SeqCst), 4);
}

#[tokio::test(start_paused = true)]
async fn w5_14_batches_share_the_in_flight_limit() {
    let runs = Arc::new(Runs::default());
    let service = HttpService::new(server([slow(&runs)], limits(8)));
    let (one, two, three) = tokio::join!(batch(30).send(&service), batch(30).send(&service), batch(30).send(&service));
    // A batch that finds all permits taken is rejected as a single request is.
    let answers = [one, two, three].map(|answer| (answer.status, answer.json().as_array().map(Vec::len)));
    assert!(answers.contains(&(200, Some(30))), "{answers:?}");
    assert!(answers.iter().all(|answer| [(200, Some(30)), (503, None)].contains(answer)), "{answers:?}");
    assert_eq!(runs.most.load(Ordering::SeqCst), 8);
    // All permits are returned.
    let runs_before = runs.now.load(Ordering::SeqCst);
    assert_eq!((runs_before, batch(8).send(&service).await.status), (0, 200));
}

#[tokio::test(start_paused = true)]
async fn w5_14_members_of_a_batch_that_find_no_permit_in_time_are_rejected_as_busy() {
    let runs = Arc::new(Runs::default());
    let limits = Limits { request_time: Duration::from_millis(2500), ..limits(1) };
    let service = HttpService::new(server([slow(&runs), note()], limits));
    let answers = batch(10).send(&service).await.json();
    let answers = answers.as_array().unwrap();
    let codes: Vec<_> = answers.iter().map(|each| each["error"]["code"].as_i64()).collect();
    // At 2.5 s two are answered and the third runs.
    assert_eq!(&codes[..3], [None; 3]);
    assert_eq!(codes[3..].iter().flatten().count(), 7, "{codes:?}");
    assert!(answers[9]["error"]["message"].as_str().unwrap().contains("too many requests"), "{}", answers[9]);
    assert_eq!(Post::of(read(1, NOTE).to_string()).send(&service).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn w5_14_a_batch_that_its_client_left_starts_its_waiting_members_within_the_time_of_one_request() {
    let runs = Arc::new(Runs::default());
    let limits = Limits { request_time: Duration::from_secs(5), ..limits(1) };
    let service = HttpService::new(server([slow(&runs), note()], limits));
    timeout(Duration::from_millis(10), batch(100).send(&service)).await.unwrap_err();
    // Its permit is in use for as long as its members may wait, and one of them may run.
    tokio::time::sleep(Duration::from_secs(7)).await;
    assert_eq!(Post::of(read(1, NOTE).to_string()).send(&service).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn w5_14_a_permit_that_is_returned_elsewhere_starts_a_waiting_member() {
    let runs = Arc::new(Runs::default());
    let held = Resource::builder().uri("docs://held").name("held").read(|cx| async move {
        cx.sleep(Duration::from_secs(50)).await;
        Ok("held")
    });
    let service = HttpService::new(server([slow(&runs), held.build()], limits(2)));
    let mut other = pin!(Post::of(read(0, "docs://run").to_string()).send(&service));
    assert!(timeout(Duration::from_millis(10), &mut other).await.is_err());
    let members = json!([read(1, "docs://held"), read(2, "docs://run"), read(3, "docs://run")]);
    let mut answer = pin!(Post::of(members.to_string()).send(&service));
    // The other request ends after one second. From then on two members follow each other.
    let (other, waiting) = tokio::join!(other, timeout(Duration::from_secs(4), &mut answer));
    assert_eq!((other.status, waiting.is_err()), (200, true));
    assert_eq!(runs.ended.load(Ordering::SeqCst), 3);
    assert_eq!(answer.await.json().as_array().unwrap().len(), 3);
}
