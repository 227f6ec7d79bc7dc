//! The author's limit on the rate of requests: it is asked for each request, also for each of a batch, before anything of it runs.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use grange_http::{HttpService, Principal};
use serde_json::{Value, json};

use super::drive::{NOTE, Post, note, running, service_with};

/// A service that admits so many requests of each principal, and of all that have none.
fn service(most: usize) -> HttpService {
    let counts = Arc::new(Mutex::new(HashMap::<Option<Principal>, usize>::new()));
    service_with(|set| {
        set.rate_limit(move |head| {
            let mut counts = counts.lock().expect("no test panics here");
            let count = counts.entry(head.extensions.get().cloned()).or_default();
            *count += 1;
            *count <= most
        })
    })
}

fn read(id: usize) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "resources/read", "params": { "uri": NOTE } })
}

fn batch(members: &[Value]) -> Post {
    Post::of(Value::from(members).to_string())
}

/// The ids of the members that were served, and of those that were answered as busy.
fn served(answer: &Value) -> (Vec<u64>, Vec<u64>) {
    let (busy, served): (Vec<_>, Vec<_>) =
        answer.as_array().expect("an array").iter().partition(|each| each["error"]["code"] == 503);
    let ids = |answers: Vec<&Value>| answers.into_iter().map(|each| each["id"].as_u64().expect("a number")).collect();
    (ids(served), ids(busy))
}

#[tokio::test]
async fn w5_14_a_limit_of_the_rate_counts_each_member_of_a_batch() {
    let service = service(30);
    let members: Vec<_> = (0..100).map(read).collect();
    let (answered, busy) = served(&batch(&members).send(&service).await.json());
    assert_eq!((answered, busy), ((0..30).collect(), (30..100).collect()));
    let rejected = Post::read_of(NOTE).send(&service).await;
    assert_eq!((rejected.status, rejected.code()), (503.try_into().expect("a status"), 503));
    assert_eq!(rejected.json()["id"], 1, "the answer is one to this request");
}

#[tokio::test]
async fn w5_14_a_limit_of_the_rate_knows_the_caller_and_counts_only_requests() {
    let (service, alice) = (service(2), Principal::new("alice"));
    let notification = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let response = json!({ "jsonrpc": "2.0", "id": 1, "result": {} });
    let members = [notification.clone(), response, json!(1), read(1), notification];
    let answers = batch(&members).from(Some(&alice)).send(&service).await.json();
    assert_eq!((&answers[0]["error"]["code"], &answers[1]["id"]), (&json!(-32600), &json!(1)));
    assert_eq!(Post::read_of(NOTE).from(Some(&alice)).send(&service).await.status, 200);
    assert_eq!(Post::read_of(NOTE).from(Some(&alice)).send(&service).await.status, 503);
    assert_eq!(Post::read_of(NOTE).send(&service).await.status, 200);
}

/// Nothing of a request runs that is not admitted.
#[tokio::test]
async fn w5_14_a_request_beyond_the_rate_does_not_run() {
    let ran = Arc::new(Mutex::new(0));
    let counted = ran.clone();
    let reader = running(move |_| {
        let ran = counted.clone();
        async move {
            *ran.lock().expect("no test panics here") += 1;
            Ok("ran")
        }
    });
    let server = super::drive::server([reader, note()], grange_core::Limits::default());
    let service = HttpService::builder(server).rate_limit(|_| false).build().expect("the settings are right");
    let member = json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": { "uri": "docs://run" } });
    assert_eq!(served(&batch(&[member]).send(&service).await.json()), (vec![], vec![1]));
    assert_eq!(Post::read_of("docs://run").send(&service).await.status, 503);
    assert_eq!(*ran.lock().expect("no test panics here"), 0);
}
