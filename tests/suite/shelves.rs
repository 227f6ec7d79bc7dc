//! Sets that change (`docs/contract/live.md`, sections 4 and 5): shelves, and the list of resources in sections.

// Helpers panic to fail a test, as the tests themselves do.
#![allow(clippy::unwrap_used, reason = "what cannot be unwrapped here fails the test")]

mod announcing;
mod changing;
mod listing;
mod walking;

use std::time::Duration;

use grange_core::{Resource, ResourceBuilder, Server, Shelf};
use grange_testkit::Client;
use serde_json::Value;

/// A resource with a fixed text.
fn note(uri: &str, text: &str) -> Resource {
    builder(uri).text(text.to_owned()).build()
}

fn builder(uri: &str) -> ResourceBuilder {
    Resource::builder().uri(uri.to_owned()).name(uri.to_owned())
}

/// A server with one shelf and a fixed resource.
fn serving(shelf: &Shelf) -> Server {
    Server::builder("notes", "1.0.0").resource(note("notes://fixed", "fixed")).shelf(shelf).build().expect("a server")
}

/// The URIs of the list.
async fn listed(client: &mut Client) -> Vec<String> {
    client.list().await.expect("a list").iter().map(uri).collect()
}

fn uri(entry: &Value) -> String {
    entry["uri"].as_str().expect("a URI").to_owned()
}

/// What a client hears now and after the pause: URIs, and the methods of changed lists; in order of their text.
fn told(client: &mut Client) -> Vec<String> {
    client.clock().advance(Duration::from_millis(100));
    let mut told: Vec<_> = std::iter::from_fn(|| client.next_change())
        .map(|message| message["params"]["uri"].as_str().or(message["method"].as_str()).expect("a change").to_owned())
        .collect();
    told.sort();
    told
}

const LIST: &str = "notifications/resources/list_changed";
