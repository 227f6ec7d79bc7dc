//! Changes (`docs/contract/live.md`, section 3): who may listen, what is announced, and how a client is told.

#![allow(clippy::unwrap_used, reason = "what cannot be unwrapped here fails the test")]

mod author;
pub(crate) mod counts;
mod folding;
mod legacy;
mod modern;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use grange_core::{Changes, Limits, ReadError, Resource, Revision, Server, ServerBuilder, Template};
use grange_testkit::Client;
use serde_json::Value;

/// The pause between the changes of one listener.
const PAUSE: Duration = Duration::from_millis(100);

const OLD: [Revision; 2] = [Revision::V2024_11_05, Revision::V2025_11_25];
const NEW: Revision = Revision::V2026_07_28;

/// A hub, and how often its readers have run.
#[derive(Clone, Default)]
struct Shop {
    changes: Changes,
    reads: Arc<AtomicUsize>,
}

impl Shop {
    fn reads(&self) -> usize {
        self.reads.load(Ordering::SeqCst)
    }

    /// A fixed resource, a computed one, one that fails, and a template that serves numbers up to 1000.
    fn builder(&self) -> ServerBuilder {
        let reads = self.reads.clone();
        let orders =
            Template::builder().uri("shop://orders/{id}{?part}").name("order").read(move |_cx, order: Order| {
                reads.fetch_add(1, Ordering::SeqCst);
                async move {
                    if order.id <= 1000 { Ok(order.part.unwrap_or_default()) } else { Err(ReadError::not_found()) }
                }
            });
        let reads = self.reads.clone();
        let status = Resource::builder().uri("shop://status").name("status").read(move |_cx| {
            reads.fetch_add(1, Ordering::SeqCst);
            async { Ok("open") }
        });
        let fixed = Resource::builder().uri("shop://fixed").name("fixed").text("fixed").build();
        let lost = Resource::builder()
            .uri("shop://lost")
            .name("lost")
            .read(|_cx| async { Err::<&str, _>(ReadError::not_found()) });
        Server::builder("shop", "1.0.0")
            .resources([fixed, status.build(), lost.build()])
            .template(orders.build())
            .changes(&self.changes)
    }

    fn server(&self) -> Server {
        self.builder().build().expect("a server")
    }

    fn limited(&self, limits: Limits) -> Server {
        self.builder().limits(limits).build().expect("a server")
    }
}

#[derive(serde::Deserialize)]
struct Order {
    id: u64,
    part: Option<String>,
}

/// The URIs of the notifications that a client has now; a list is its method.
fn told(client: &mut Client) -> Vec<String> {
    let next = || client.next_change();
    std::iter::from_fn(next).map(|message| subject(&message)).collect()
}

fn subject(message: &Value) -> String {
    let uri = message["params"]["uri"].as_str().or(message["method"].as_str());
    uri.expect("a notification has a method").to_owned()
}

/// The same after a pause.
fn told_later(client: &mut Client) -> Vec<String> {
    client.settle();
    client.clock().advance(PAUSE);
    told(client)
}
