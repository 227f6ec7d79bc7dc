//! The test kit itself: its view of a server is correct.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod client;
mod context;
mod host;
mod tools;
mod transcript;
mod work;

use std::future::pending;
use std::sync::{Arc, Mutex};

use grange_core::{Context, Resource, ResourceBuilder, Server, ServerBuilder};

use crate::schema::clients;

/// A builder with a URI and a name.
fn resource(name: &'static str) -> ResourceBuilder {
    Resource::builder().uri(format!("docs://{name}")).name(name)
}

/// A resource whose read never ends by itself and records its events.
fn stuck(notes: &Notes) -> Resource {
    let notes = notes.clone();
    resource("stuck")
        .read(move |cx| {
            let notes = notes.clone();
            async move {
                let _guard = NotedDrop { notes: notes.clone(), cx };
                notes.add("started");
                Ok(pending::<String>().await)
            }
        })
        .build()
}

struct NotedDrop {
    notes: Notes,
    cx: Context,
}

impl Drop for NotedDrop {
    fn drop(&mut self) {
        self.notes.add(if self.cx.is_cancelled() { "cancelled" } else { "dropped" });
    }
}

/// The events so far, in order.
#[derive(Clone, Default)]
struct Notes(Arc<Mutex<Vec<String>>>);

impl Notes {
    fn add(&self, note: impl Into<String>) {
        self.0.lock().unwrap().push(note.into());
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

/// A server that records its failures.
fn noting(notes: &Notes) -> ServerBuilder {
    let notes = notes.clone();
    Server::builder("kit", "1.0.0").on_error(move |failure, cx| notes.add(format!("{}: {failure}", cx.uri())))
}
