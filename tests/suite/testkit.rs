//! The test kit itself: that what it tells an author about their server is true.

#![allow(clippy::unwrap_used, reason = "what cannot be unwrapped here fails the test")]

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

/// A definition in the making, with a URI and a name.
fn resource(name: &'static str) -> ResourceBuilder {
    Resource::builder().uri(format!("docs://{name}")).name(name)
}

/// A resource whose read never ends by itself. What it notes on the way is in the list.
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

/// What happened, in order.
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

/// A server whose failures are noted.
fn noting(notes: &Notes) -> ServerBuilder {
    let notes = notes.clone();
    Server::builder("kit", "1.0.0").on_error(move |failure, cx| notes.add(format!("{}: {failure}", cx.uri())))
}
