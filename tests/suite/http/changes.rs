//! Changes over HTTP (`docs/contract/live.md`, section 3): the stream of a session, and who hears what.

use std::time::Duration;

use grange_core::{Changes, Limits, List, Resource, Revision, Server};
use grange_http::{HttpService, Principal};
use serde_json::{Value, json};
use tokio::time::{advance, timeout};

use super::drive::Post;
use super::sessions::client::{Client, Events, LEGACY, PRIMED};
use crate::changes::counts::{LISTENERS, SENT, SUBSCRIBED};
use crate::measurements::Counted;

const PAUSE: Duration = Duration::from_millis(100);
const MOMENT: Duration = Duration::from_millis(1);
const NEW: Revision = Revision::V2026_07_28;

fn service(changes: &Changes) -> HttpService {
    limited(changes, Limits::default())
}

fn limited(changes: &Changes, limits: Limits) -> HttpService {
    let item = |name: &'static str| {
        Resource::builder().uri(format!("shop://{name}")).name(name).read(|_cx| async { Ok("an item") }).build()
    };
    let server = Server::builder("shop", "1.0.0").resources(["a", "b", "c"].map(item)).limits(limits).changes(changes);
    HttpService::new(server.build().unwrap())
}

async fn subscribe(client: &Client, uri: &str) {
    let answer = client.request(7, "resources/subscribe", &json!({ "uri": uri })).send(&client.service).await;
    assert_eq!(answer.json()["result"], json!({}), "{}", client.revision);
}

/// The stream of a session, after its id-only first event.
async fn get(client: &Client) -> Events {
    let mut events = client.events(client.get()).await;
    if client.revision == PRIMED {
        assert!(events.next().await.expect("it opens with an id").message.is_none());
    }
    events
}

/// The URI of the next change, or the name of its method.
async fn change(events: &mut Events) -> String {
    let event = events.next().await.expect("a change");
    assert!(event.id.is_some(), "each event can be resumed after: {event:?}");
    subject(&event.message.expect("a message"))
}

fn subject(message: &Value) -> String {
    let subject = message["params"]["uri"].as_str().or(message["method"].as_str());
    subject.unwrap_or_else(|| panic!("no change: {message}")).to_owned()
}

async fn is_quiet(events: &mut Events) -> bool {
    timeout(MOMENT, events.next()).await.is_err()
}

#[tokio::test(start_paused = true)]
async fn l3_16_changes_arrive_on_the_stream_of_a_session() {
    for revision in LEGACY.into_iter().skip(2) {
        let changes = Changes::new();
        let client = Client::open_with(&service(&changes), revision, None).await;
        subscribe(&client, "shop://a").await;
        let mut events = get(&client).await;
        changes.updated("shop://a");
        changes.updated("shop://b");
        assert_eq!(change(&mut events).await, "shop://a");
        changes.relisted(List::Resources);
        changes.updated("shop://a");
        assert!(is_quiet(&mut events).await);
        advance(PAUSE).await;
        assert_eq!(change(&mut events).await, "notifications/resources/list_changed");
        assert_eq!(change(&mut events).await, "shop://a");
        assert!(is_quiet(&mut events).await);
    }
}

#[tokio::test(start_paused = true)]
async fn l3_16_without_a_stream_what_changed_waits_for_it() {
    let changes = Changes::new();
    let client = Client::open(&service(&changes)).await;
    subscribe(&client, "shop://a").await;
    for _ in 0..1000 {
        changes.updated("shop://a");
    }
    let read = client.request(8, "resources/read", &json!({ "uri": "shop://a" })).header("accept", "text/event-stream");
    let answered = client.events(read).await.rest().await;
    let notified =
        answered.iter().filter_map(|event| event.message.as_ref()).any(|message| message.get("method").is_some());
    assert!(!notified, "a POST carries none");
    let mut events = get(&client).await;
    assert_eq!(change(&mut events).await, "shop://a");
    assert!(is_quiet(&mut events).await);
}

#[tokio::test(start_paused = true)]
async fn l3_16_a_second_stream_takes_over_and_repeats_what_the_first_may_not_have_read() {
    let changes = Changes::new();
    let client = Client::open(&service(&changes)).await;
    subscribe(&client, "shop://a").await;
    subscribe(&client, "shop://b").await;
    let mut first = get(&client).await;
    changes.updated("shop://a");
    let sent = first.next().await.expect("a change");
    let mut second = client.events(client.get()).await;
    assert!(second.next().await.expect("an id").message.is_none());
    assert_eq!(change(&mut second).await, "shop://a", "the last one again");
    assert!(first.next().await.is_none(), "the first stream ends");
    advance(PAUSE).await;
    changes.updated("shop://b");
    assert_eq!(change(&mut second).await, "shop://b");
    let mut resumed = client.resume(sent.id()).await;
    assert_eq!(change(&mut resumed).await, "shop://b", "with Last-Event-ID only what follows");
    assert!(is_quiet(&mut resumed).await);
}

#[tokio::test(start_paused = true)]
async fn l3_14_a_session_that_ends_leaves_no_subscription() {
    let changes = Changes::new();
    let client = Client::open(&service(&changes)).await;
    subscribe(&client, "shop://a").await;
    let mut events = get(&client).await;
    assert_eq!(changes.subscribed(), 1);
    assert_eq!(client.delete().send(&client.service).await.status, 204);
    assert!(events.next().await.is_none(), "its stream ends");
    drop(events);
    assert_eq!(changes.subscribed(), 0);
}

#[tokio::test(start_paused = true)]
async fn l3_4_a_shutdown_of_the_service_sends_what_waits() {
    let changes = Changes::new();
    let service = service(&changes);
    let client = Client::open(&service).await;
    subscribe(&client, "shop://a").await;
    let mut events = get(&client).await;
    changes.updated("shop://a");
    assert_eq!(change(&mut events).await, "shop://a");
    changes.updated("shop://a");
    assert!(is_quiet(&mut events).await);
    service.end_streams();
    assert_eq!(change(&mut events).await, "shop://a");
    assert!(events.next().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn l3_11_a_slow_reader_costs_what_it_subscribed_to_and_delays_no_other() {
    let changes = Changes::new();
    let service = service(&changes);
    let (slow, quick) = (Client::open(&service).await, Client::open(&service).await);
    for client in [&slow, &quick] {
        subscribe(client, "shop://a").await;
    }
    let (_unread, mut events) = (get(&slow).await, get(&quick).await);
    for _ in 0..100 {
        changes.updated("shop://a");
        assert_eq!(change(&mut events).await, "shop://a");
        advance(PAUSE).await;
    }
}

fn principals() -> [Principal; 2] {
    ["https://issuer.example.com|alice", "https://issuer.example.com|bob"].map(Principal::new)
}

/// A listen for one resource and for the list.
fn listen(uri: &str) -> Post {
    let filter = json!({ "resourceSubscriptions": [uri], "resourcesListChanged": true });
    Post::modern("subscriptions/listen", json!({ "notifications": filter }))
}

/// An acknowledged listen of a principal.
async fn listening(service: &HttpService, principal: Option<&Principal>) -> Events {
    let mut events = Events::of(listen("shop://a").from(principal).open(service).await, NEW);
    let acknowledged = events.next().await.and_then(|event| event.message).expect("an acknowledgment");
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    events
}

async fn next(events: &mut Events) -> Option<String> {
    events.next().await.map(|event| subject(&event.message.expect("a message")))
}

#[tokio::test(start_paused = true)]
async fn l3_19_what_is_for_one_principal_reaches_its_listeners_only() {
    let ([alice, bob], changes) = (principals(), Changes::new());
    let service = service(&changes);
    let session = Client::open_with(&service, PRIMED, Some(&alice)).await;
    subscribe(&session, "shop://a").await;
    let mut session = get(&session).await;
    let mut own = listening(&service, Some(&alice)).await;
    let (mut other, mut nobody) = (listening(&service, Some(&bob)).await, listening(&service, None).await);
    changes.updated("shop://a").only(alice.name());
    assert_eq!(next(&mut own).await.as_deref(), Some("shop://a"));
    assert_eq!(change(&mut session).await, "shop://a");
    assert!(is_quiet(&mut other).await && is_quiet(&mut nobody).await);
    advance(PAUSE).await;
    changes.relisted(List::Resources).only(alice.name());
    assert!(next(&mut own).await.is_some());
    assert!(is_quiet(&mut other).await && is_quiet(&mut nobody).await);
    changes.updated("shop://a");
    assert!(next(&mut other).await.is_some() && next(&mut nobody).await.is_some());
}

#[tokio::test(start_paused = true)]
async fn l3_20_a_revoked_principal_hears_no_more() {
    let ([alice, bob], changes) = (principals(), Changes::new());
    let service = service(&changes);
    let session = Client::open_with(&service, PRIMED, Some(&alice)).await;
    subscribe(&session, "shop://a").await;
    let mut stream = get(&session).await;
    let (mut own, mut other) = (listening(&service, Some(&alice)).await, listening(&service, Some(&bob)).await);
    changes.revoke(alice.name());
    assert_eq!(next(&mut own).await.as_deref(), Some("notifications/cancelled"), "without a result");
    assert!(next(&mut own).await.is_none() && stream.next().await.is_none());
    assert_eq!(changes.subscribed(), 1);
    changes.updated("shop://a");
    assert_eq!(next(&mut other).await.as_deref(), Some("shop://a"));
}

#[tokio::test(start_paused = true)]
async fn l3_21_no_principal_is_a_label_and_a_revoked_one_counts_no_more() {
    let ([alice, bob], changes) = (principals(), Changes::new());
    let service = service(&changes);
    let (counted, _guard) = Counted::new();
    let (mut own, mut other) = (listening(&service, Some(&alice)).await, listening(&service, Some(&bob)).await);
    changes.updated("shop://a").only(alice.name());
    assert!(next(&mut own).await.is_some() && is_quiet(&mut other).await);
    counted.check(SENT, &[], 1);
    counted.check(LISTENERS, &[], 2);
    counted.check(SUBSCRIBED, &[], 2);
    changes.revoke(alice.name());
    while next(&mut own).await.is_some() {}
    counted.check(LISTENERS, &[], 1);
    counted.check(SUBSCRIBED, &[], 1);
    drop(other);
    counted.check(LISTENERS, &[], 0);
    counted.check(SUBSCRIBED, &[], 0);
    let text = counted.text();
    for private in [alice.name(), bob.name(), "shop:"] {
        assert!(!text.contains(private), "{private} is no label:\n{text}");
    }
}

#[tokio::test(start_paused = true)]
async fn l3_17_one_principal_has_a_hundred_streams() {
    let ([alice, bob], changes) = (principals(), Changes::new());
    let service = service(&changes);
    let mut held = Vec::new();
    for _ in 0..100 {
        held.push(listening(&service, Some(&alice)).await);
    }
    assert_eq!(listen("shop://a").from(Some(&alice)).send(&service).await.busy(), "streams_per_principal");
    held.push(listening(&service, Some(&bob)).await);
    changes.updated("shop://a");
    for events in &mut held {
        assert_eq!(next(events).await.as_deref(), Some("shop://a"), "none was cut");
    }
}

#[tokio::test(start_paused = true)]
async fn l3_16_a_batch_may_subscribe() {
    let changes = Changes::new();
    let client = Client::open_with(&service(&changes), Revision::V2025_03_26, None).await;
    let subscribe = |id: usize, uri: &str| json!({ "jsonrpc": "2.0", "id": id, "method": "resources/subscribe", "params": { "uri": uri } });
    let batch = json!([subscribe(1, "shop://a"), subscribe(2, "shop://none"), subscribe(3, "shop://b")]);
    let answers = client.post(&batch).send(&client.service).await.json();
    assert_eq!([&answers[0]["result"], &answers[2]["result"]], [&json!({}); 2]);
    assert_eq!(answers[1]["error"]["code"], -32002);
    assert_eq!(changes.subscribed(), 2);
}
