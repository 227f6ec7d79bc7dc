//! `host(&cx)` against a fake host, one test per statement of the contract about a host's files: over a pipe and over
//! HTTP with a session, both in memory, on every revision that has requests to the client.
//!
//! The name of a test starts with its statement.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod answers;
mod availability;
mod channel;
mod defects;
mod errors;
mod hostile;
mod http;
mod misbehaving;
mod requests;
mod results;
mod retry;
mod stdio;

use std::collections::HashSet;
use std::future::pending;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use grange_core::{Host, Limits, Revision, Server, ServerBuilder, Tool, host};
use grange_testkit::{Client, Direction, FakeHost};
use serde_json::json;
use tokio::time::timeout;

use crate::schema::Oracle;

/// The id of a file in current hosts, and its URI.
const ID: &str = "fl_0123456789abcdef01234567";
const FILE: &str = "files://fl_0123456789abcdef01234567";
/// The same in older hosts.
const OLD_ID: &str = "fl_m3k9x2ab_0123abcd";
const OLD_FILE: &str = "files://fl_m3k9x2ab_0123abcd";

/// The revisions that have requests from the server to the client.
fn legacy() -> impl Iterator<Item = Revision> {
    Revision::ALL.into_iter().filter(|revision| revision.has_handshake())
}

/// How a client is connected.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Way {
    Pipe,
    /// In a session, without a `GET` stream.
    Http,
    /// In a session, with one.
    HttpWithGet,
}

impl Way {
    const ALL: [Self; 3] = [Self::Pipe, Self::Http, Self::HttpWithGet];

    async fn connect(self, server: &Server, revision: Revision, host: FakeHost) -> Client {
        let connected = match self {
            Self::Pipe => grange_testkit::connect_host(server, revision, host).await,
            Self::Http => grange_testkit::connect_host_http(server, revision, host).await,
            Self::HttpWithGet => grange_testkit::connect_host_http(server, revision, host.opens_get_stream()).await,
        };
        checked(connected.unwrap(), revision)
    }
}

/// Checks every message of the server against the schema of its revision, and each cancellation against the requests.
fn checked(mut client: Client, revision: Revision) -> Client {
    let mut oracle = Oracle::new(revision);
    let mut requests = HashSet::new();
    client.observe(move |direction, message| match direction {
        // The host's answers use another space of ids.
        Direction::ToServer => {
            let batch = message.as_array().map_or(std::slice::from_ref(message), Vec::as_slice);
            batch.iter().filter(|message| message["method"].is_string()).for_each(|request| oracle.sent(request));
        }
        Direction::ToClient => {
            let problems = oracle.received(message);
            assert!(problems.is_empty(), "{revision} {message}\n  {}", problems.join("\n  "));
            match (message["method"].as_str(), message.get("id")) {
                (Some("notifications/cancelled"), _) => {
                    let cancelled = &message["params"]["requestId"];
                    assert!(
                        requests.remove(&cancelled.to_string()),
                        "{cancelled} was never sent, or is cancelled twice"
                    );
                }
                (Some(_), Some(id)) => assert!(requests.insert(id.to_string()), "{id} is used twice"),
                _ => {}
            }
        }
    });
    client
}

/// Clients of every revision that has requests to the client, over each transport, each with its own host.
async fn clients(server: &Server, host: impl Fn() -> FakeHost) -> Vec<Client> {
    let mut clients = Vec::new();
    for revision in legacy() {
        for way in Way::ALL {
            clients.push(way.connect(server, revision, host()).await);
        }
    }
    clients
}

/// One client per transport, of the newest revision that has requests to the client.
async fn newest(server: &Server, host: impl Fn() -> FakeHost) -> Vec<(Way, Client)> {
    let mut clients = Vec::new();
    for way in Way::ALL {
        clients.push((way, way.connect(server, Revision::V2025_11_25, host()).await));
    }
    clients
}

/// The values that tools recorded, in order.
struct Found<T>(Arc<Mutex<Vec<T>>>);

impl<T> Found<T> {
    fn new() -> Self {
        Self(Arc::default())
    }

    fn add(&self, found: T) {
        self.0.lock().unwrap().push(found);
    }

    fn take(&self) -> Vec<T> {
        std::mem::take(&mut self.0.lock().unwrap())
    }

    /// The only value since the last call.
    fn one(&self) -> T {
        let mut found = self.take();
        assert_eq!(found.len(), 1, "one call has one outcome");
        found.remove(0)
    }
}

impl<T> Clone for Found<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

/// A server whose tool `ask` runs this function with its host, and the results.
fn asking<T, F, Fut>(ask: F) -> (Server, Found<T>)
where
    T: Send + 'static,
    F: Fn(Host) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = T> + Send + 'static,
{
    let found = Found::new();
    let sink = found.clone();
    let tool = Tool::builder().name("ask").call_without_arguments(move |cx| {
        let (result, sink) = (ask(host(&cx)), sink.clone());
        async move {
            sink.add(result.await);
            Ok("asked")
        }
    });
    (server(tool).build().unwrap(), found)
}

fn server(tool: Tool) -> ServerBuilder {
    // Allows whole files in one answer.
    let limits = Limits { answer_bytes: 64 * 1024 * 1024, ..Limits::default() };
    Server::builder("tests", "1.0.0").tool(tool).limits(limits).requests_to_client().revisions(Revision::ALL)
}

/// A server whose tool `ask` passes its host to the test and never ends by itself. The second list has how each call
/// ended.
fn lending() -> (Server, Found<Host>, Found<&'static str>) {
    let (hosts, ends) = (Found::new(), Found::new());
    let (lent, ended) = (hosts.clone(), ends.clone());
    let tool = Tool::builder().name("ask").call_without_arguments(move |cx| {
        lent.add(host(&cx));
        let ended = Ended(ended.clone());
        async move {
            let _ended = ended;
            Ok(pending::<String>().await)
        }
    });
    (server(tool).build().unwrap(), hosts, ends)
}

struct Ended(Found<&'static str>);

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.add("dropped");
    }
}

/// Waits. Fails if no progress is possible: the clock is paused and advances by itself only then.
async fn soon<T>(waiting: impl Future<Output = T>) -> T {
    timeout(Duration::from_secs(1), waiting).await.expect("the test must not wait for ever")
}

/// Calls `ask` and waits for the result.
async fn ask(client: &mut Client) {
    let call = soon(client.call_tool("ask", json!({}))).await;
    assert_eq!(call.unwrap().text(), Some("asked"));
}

/// Polls a future once.
fn poll_once<T>(future: &mut Pin<Box<impl Future<Output = T>>>) -> Poll<T> {
    future.as_mut().poll(&mut Context::from_waker(Waker::noop()))
}

/// The number of requests that the host received.
fn request_count(client: &Client) -> usize {
    client.host().requests().count()
}
