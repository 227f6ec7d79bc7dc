//! `host(&cx)` against a fake host, statement by statement of what is offered to servers that read a host's files: over the
//! pipe and over HTTP in a session, both in memory, on every revision that has a way back to the client.
//!
//! A test's name starts with the statement it proves.

#![allow(clippy::unwrap_used, reason = "what cannot be unwrapped here fails the test")]

mod asking;
mod availability;
mod channel;
mod defects;
mod errors;
mod hostile;
mod http;
mod misbehaving;
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

/// A file's id of today's hosts, and its URI.
const ID: &str = "fl_0123456789abcdef01234567";
const FILE: &str = "files://fl_0123456789abcdef01234567";
/// The same of older hosts.
const OLD_ID: &str = "fl_m3k9x2ab_0123abcd";
const OLD_FILE: &str = "files://fl_m3k9x2ab_0123abcd";

/// Every revision that has requests from the server to the client.
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

/// Holds everything that the server says against the schema of its revision, and its withdrawals against its requests.
fn checked(mut client: Client, revision: Revision) -> Client {
    let mut oracle = Oracle::new(revision);
    let mut asked = HashSet::new();
    client.observe(move |direction, message| match direction {
        // Answers of the host are in another space of ids.
        Direction::ToServer => {
            let batch = message.as_array().map_or(std::slice::from_ref(message), Vec::as_slice);
            batch.iter().filter(|message| message["method"].is_string()).for_each(|request| oracle.sent(request));
        }
        Direction::ToClient => {
            let faults = oracle.received(message);
            assert!(faults.is_empty(), "{revision} {message}\n  {}", faults.join("\n  "));
            match (message["method"].as_str(), message.get("id")) {
                (Some("notifications/cancelled"), _) => {
                    let withdrawn = &message["params"]["requestId"];
                    assert!(asked.remove(&withdrawn.to_string()), "{withdrawn} was never asked, or is withdrawn twice");
                }
                (Some(_), Some(id)) => assert!(asked.insert(id.to_string()), "{id} is of another request"),
                _ => {}
            }
        }
    });
    client
}

/// Clients of every revision that has a way back, each way, each with a host of its own.
async fn clients(server: &Server, host: impl Fn() -> FakeHost) -> Vec<Client> {
    let mut clients = Vec::new();
    for revision in legacy() {
        for way in Way::ALL {
            clients.push(way.connect(server, revision, host()).await);
        }
    }
    clients
}

/// One client each way, of the newest revision that has a way back.
async fn newest(server: &Server, host: impl Fn() -> FakeHost) -> Vec<(Way, Client)> {
    let mut clients = Vec::new();
    for way in Way::ALL {
        clients.push((way, way.connect(server, Revision::V2025_11_25, host()).await));
    }
    clients
}

/// What tools found out, in order.
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

    /// The only one since the last time.
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

/// A server whose tool `ask` does this with its host, and what came of each call.
fn asking<T, F, Fut>(ask: F) -> (Server, Found<T>)
where
    T: Send + 'static,
    F: Fn(Host) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = T> + Send + 'static,
{
    let found = Found::new();
    let kept = found.clone();
    let tool = Tool::builder().name("ask").call_without_arguments(move |cx| {
        let (asked, kept) = (ask(host(&cx)), kept.clone());
        async move {
            kept.add(asked.await);
            Ok("asked")
        }
    });
    (server(tool).build().unwrap(), found)
}

fn server(tool: Tool) -> ServerBuilder {
    // Whole files may come back at once.
    let limits = Limits { answer_bytes: 64 * 1024 * 1024, ..Limits::default() };
    Server::builder("tests", "1.0.0").tool(tool).limits(limits).requests_to_client().revisions(Revision::ALL)
}

/// A server whose tool `ask` gives its host away and never ends by itself. What becomes of it is in the second list.
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

/// Waits. Where nothing more happens, so that it would be for ever, the test fails instead: its clock is paused, and runs
/// on by itself exactly then.
async fn soon<T>(waiting: impl Future<Output = T>) -> T {
    timeout(Duration::from_secs(1), waiting).await.expect("it would wait for ever")
}

/// Calls `ask` and waits.
async fn ask(client: &mut Client) {
    let call = soon(client.call_tool("ask", json!({}))).await;
    assert_eq!(call.unwrap().text(), Some("asked"));
}

/// Polls a future once.
fn poll_once<T>(future: &mut Pin<Box<impl Future<Output = T>>>) -> Poll<T> {
    future.as_mut().poll(&mut Context::from_waker(Waker::noop()))
}

/// How many requests the host got.
fn asked(client: &Client) -> usize {
    client.host().requests().count()
}
