//! The share of each principal in the capacity of a service.

use std::pin::pin;
use std::time::Duration;

use grange_core::Limits;
use grange_http::{HttpService, Principal};
use serde_json::{Value, json};
use tokio::time::timeout;
use tower_service::Service;

use super::drive::{NOTE, Post, Silent, answered, note, running, server};

const MOMENT: Duration = Duration::from_millis(10);

fn principals() -> [Principal; 2] {
    ["https://issuer.example.com|alice", "https://issuer.example.com|bob"].map(Principal::new)
}

fn limits() -> Limits {
    let (requests_per_principal, streams_per_principal) = (2, 1);
    Limits { requests_in_flight: 3, requests_per_principal, streams: 2, streams_per_principal, ..Limits::default() }
}

fn service() -> HttpService {
    let slow = running(|cx| async move {
        cx.sleep(Duration::from_secs(1)).await;
        Ok("slow")
    });
    HttpService::new(server([slow, note()], limits()))
}

fn slow() -> Post {
    Post::read_of("docs://run")
}

#[tokio::test(start_paused = true)]
async fn w5_14_one_principal_cannot_have_all_requests_in_flight() {
    let ([alice, bob], service) = (principals(), service());
    let mut held = [pin!(slow().from(Some(&alice)).send(&service)), pin!(slow().from(Some(&alice)).send(&service))];
    for answer in &mut held {
        assert!(timeout(MOMENT, answer).await.is_err());
    }
    let rejected = Post::read_of(NOTE).from(Some(&alice)).send(&service).await;
    assert_eq!(rejected.busy(), "requests_per_principal");
    for other in [Some(&bob), None] {
        assert_eq!(Post::read_of(NOTE).from(other).send(&service).await.status, 200);
    }
    for answer in held {
        assert_eq!(answer.await.text(), "slow");
    }
    assert_eq!(Post::read_of(NOTE).from(Some(&alice)).send(&service).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn w5_14_one_principal_cannot_have_all_streams() {
    let ([alice, bob], service) = (principals(), service());
    let stream = Post::listen().from(Some(&alice)).open(&service).await;
    let rejected = Post::listen().from(Some(&alice)).send(&service).await;
    assert_eq!(rejected.busy(), "streams_per_principal");
    let others = Post::listen().from(Some(&bob)).open(&service).await;
    drop((stream, others));
    drop(Post::listen().from(Some(&alice)).open(&service).await);
}

#[tokio::test(start_paused = true)]
async fn w5_14_the_members_of_a_batch_are_in_the_share_of_its_principal() {
    let ([alice, bob], service) = (principals(), service());
    let read = |id: usize| json!({ "jsonrpc": "2.0", "id": id, "method": "resources/read", "params": { "uri": "docs://run" } });
    let batch = Post::of((0..6).map(read).collect::<Value>().to_string()).from(Some(&alice));
    let mut answers = pin!(batch.send(&service));
    assert!(timeout(MOMENT, &mut answers).await.is_err());
    assert_eq!(Post::read_of(NOTE).from(Some(&bob)).send(&service).await.status, 200);
    // Two at once take three seconds.
    let started = tokio::time::Instant::now();
    assert_eq!(answers.await.json().as_array().unwrap().len(), 6);
    assert_eq!(started.elapsed().as_secs(), 2);
}

#[tokio::test(start_paused = true)]
async fn w5_14_the_body_of_a_request_without_a_share_is_not_read() {
    let ([alice, _], service) = (principals(), service());
    let mut held = [pin!(slow().from(Some(&alice)).send(&service)), pin!(slow().from(Some(&alice)).send(&service))];
    for answer in &mut held {
        assert!(timeout(MOMENT, answer).await.is_err());
    }
    let request = Post::read_of(NOTE).from(Some(&alice)).with(Silent);
    let answer = timeout(MOMENT, service.clone().call(request)).await.expect("without waiting for the body");
    assert_eq!(answered(answer).status(), 503);
}

#[tokio::test(start_paused = true)]
async fn w5_14_one_principal_cannot_have_all_bytes() {
    const LARGE: usize = 40 * 1024;
    let text: &str = Box::leak("x".repeat(LARGE).into_boxed_str());
    let limits = Limits { service_bytes: 5 * LARGE, bytes_per_principal: 2 * LARGE + 1000, ..Limits::default() };
    let service = HttpService::new(server([running(move |_| async move { Ok(text) }), note()], limits));
    let [alice, bob] = principals();
    let read = |who| Post::read_of("docs://run").from(Some(who));
    let unread = [read(&alice).open(&service).await, read(&alice).open(&service).await];
    // An answer, the answer that repeats a URI, and a body.
    assert!(read(&alice).send(&service).await.message().contains("leave no room for this one"));
    let unknown = Post::read_of(&format!("docs://{}", "u".repeat(LARGE))).from(Some(&alice));
    assert_eq!(unknown.send(&service).await.busy(), "bytes_per_principal");
    let large = Post::read_of(NOTE);
    let body = [&large.body[..], &b" ".repeat(LARGE)[..]].concat();
    assert_eq!(large.from(Some(&alice)).body(body).send(&service).await.busy(), "bytes_per_principal");
    assert_eq!(Post::read_of(NOTE).from(Some(&alice)).send(&service).await.status, 200, "small messages have room");
    for other in [Some(&bob), None] {
        assert_eq!(Post::read_of("docs://run").from(other).send(&service).await.text().len(), LARGE);
    }
    drop(unread);
    assert_eq!(read(&alice).send(&service).await.status, 200);
}
