//! Changes on a pipe, with jobs on other threads (`docs/contract/live.md`, section 3).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use grange_core::{Changes, Limits, ReadError, Resource, Revision, Server, Template};
use serde_json::json;

use super::talk::{Client, initialize};

fn server(changes: &Changes, limits: Limits) -> Server {
    let status =
        Resource::builder().uri("shop://status").name("status").read(|_cx| async { Ok::<_, ReadError>("open") });
    let order =
        Template::builder().uri("shop://orders/{id}").name("order").read(|_cx, _: u64| async { Ok("an order") });
    Server::builder("shop", "1.0.0")
        .template(order.build())
        .resource(status.build())
        .limits(limits)
        .changes(changes)
        .build()
        .unwrap()
}

async fn opened(server: Server) -> Client {
    let mut client = Client::of(server);
    client.send(&initialize(0, Revision::V2025_11_25)).await;
    client.answer().await;
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
    client
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn l3_15_the_answer_to_a_subscription_precedes_its_first_change() {
    let changes = Changes::new();
    let limits = Limits { notify_interval: Duration::ZERO, ..Limits::default() };
    let mut client = opened(server(&changes, limits)).await;
    let is_over = Arc::new(AtomicBool::new(false));
    let (flag, announcing) = (is_over.clone(), changes.clone());
    let announcer = std::thread::spawn(move || {
        while !flag.load(Ordering::Relaxed) {
            (0..100).for_each(|id| drop(announcing.updated(format!("shop://orders/{id}"))));
        }
    });
    for id in 0..100 {
        let uri = format!("shop://orders/{id}");
        client
            .send(&json!({ "jsonrpc": "2.0", "id": id, "method": "resources/subscribe", "params": { "uri": uri } }))
            .await;
        let before_the_answer = loop {
            let message = client.answer().await;
            if message["id"] == id {
                break false;
            }
            if message["params"]["uri"] == uri {
                break true;
            }
        };
        assert!(!before_the_answer, "{uri}");
        while client.answer().await["params"]["uri"] != uri {}
    }
    is_over.store(true, Ordering::Relaxed);
    announcer.join().unwrap();
    client.finish().await;
}

#[tokio::test(start_paused = true)]
async fn l3_4_the_end_of_the_input_sends_what_waits_and_then_ends() {
    let changes = Changes::new();
    let mut client = opened(server(&changes, Limits::default())).await;
    client.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/subscribe", "params": { "uri": "shop://status" } })).await;
    assert_eq!(client.answer().await["id"], 1);
    changes.updated("shop://status");
    assert_eq!(client.answer().await["params"]["uri"], "shop://status");
    changes.updated("shop://status");
    let rest = client.finish().await;
    assert_eq!(rest.len(), 1, "{rest:?}");
    assert_eq!(rest[0]["params"]["uri"], "shop://status");
}

#[tokio::test(start_paused = true)]
async fn l6_3_a_listener_does_not_keep_a_pipe_alive() {
    let client = opened(server(&Changes::new(), Limits::default())).await;
    assert!(client.finish().await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn l3_1_a_client_that_does_not_read_costs_what_it_subscribed_to() {
    let changes = Changes::new();
    let limits = Limits { notify_interval: Duration::ZERO, ..Limits::default() };
    let mut client = opened(server(&changes, limits)).await;
    client.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/subscribe", "params": { "uri": "shop://status" } })).await;
    assert_eq!(client.answer().await["id"], 1);
    // More than the pipe and the buffers take, if each were sent.
    for _ in 0..20_000 {
        changes.updated("shop://status");
        tokio::task::yield_now().await;
    }
    let rest = client.finish().await;
    assert!((1..10_000).contains(&rest.len()), "{}", rest.len());
}
