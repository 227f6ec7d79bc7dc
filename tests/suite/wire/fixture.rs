//! The server for the tests of the contract: one resource of each kind, with every list member set in one of them.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use grange_core::{
    Annotations, CacheScope, Contents, Icon, Item, Limits, ReadError, Resource, Revision, Role, Server, ServerBuilder,
    Theme,
};
use serde_json::json;

pub(crate) fn full() -> Resource {
    Resource::builder()
        .uri("docs://full")
        .name("full")
        .title("Full")
        .description("Everything a listing can say")
        .mime_type("text/markdown")
        .annotations(
            Annotations::new()
                .audience([Role::User, Role::Assistant])
                .priority(0.5)
                .last_modified("2026-01-01T00:00:00Z"),
        )
        .icons([Icon::new("https://example.com/i.png").mime_type("image/png").size("48x48").theme(Theme::Dark)])
        .meta(json!({ "example.com/listed": true }))
        .content_meta(json!({ "example.com/item": 1 }))
        .text("# Full")
        .build()
}

pub(crate) fn text(uri: &'static str, text: &'static str) -> Resource {
    Resource::builder().uri(uri).name("text").mime_type("text/plain").text(text).build()
}

pub(crate) fn report() -> Resource {
    Resource::builder()
        .uri("reports://latest")
        .name("latest-report")
        .ttl(Duration::from_secs(60))
        .cache_scope(CacheScope::Private)
        .read(|cx| async move {
            Ok(Contents::new()
                .item(Item::text(cx.uri(), "Report complete.").mime_type("text/plain").meta("k", 1))
                .item(Item::bytes("reports://latest/data", vec![0xfb, 0xff, 0x00]))
                .meta("example.com/report-version", 1))
        })
        .build()
}

pub(crate) fn builder() -> ServerBuilder {
    Server::builder("fixture", "1.2.3")
        .title("Fixture")
        .description("A server for tests")
        .website_url("https://example.com/")
        .icons([Icon::new("https://example.com/s.png")])
        .instructions("Read docs://full first.")
        .resources([full(), report(), text("docs://empty", ""), text("docs://a/", "slash"), text("docs://a", "none")])
        .resources([
            Resource::builder().uri("docs://empty-bin").name("empty-bin").bytes(Vec::new()).build(),
            Resource::builder().uri("docs://nothing").name("nothing").read(|_| async { Ok(Contents::new()) }).build(),
            Resource::builder()
                .uri("docs://wait")
                .name("wait")
                .read(|_| std::future::pending::<Result<String, _>>())
                .build(),
            failing("docs://private", || std::io::Error::other("secret=/srv/key").into()),
            failing("docs://gone", ReadError::not_found),
            failing("docs://quota", || ReadError::public(4290, "quota exhausted").data(json!({ "retryAfterMs": 500 }))),
            failing("docs://reserved", || ReadError::public(-32001, "secret")),
            failing("docs://panic", || panic!("secret=/srv/key")),
        ])
}

fn failing(uri: &'static str, error: fn() -> ReadError) -> Resource {
    Resource::builder().uri(uri).name("failing").read(move |_| async move { Err::<String, _>(error()) }).build()
}

pub(crate) fn server() -> Server {
    builder().build().expect("the fixture must be valid")
}

pub(crate) fn only(revisions: impl IntoIterator<Item = Revision>) -> Server {
    builder().revisions(revisions).build().expect("the fixture must be valid")
}

pub(crate) fn limited(limits: Limits) -> Server {
    builder().limits(limits).build().expect("the fixture must be valid")
}

/// A server with one resource, and the failures that `on_error` got.
pub(crate) fn reported(resource: Resource) -> (Server, Arc<Mutex<Vec<String>>>) {
    let reported = Arc::new(Mutex::new(Vec::new()));
    let sink = reported.clone();
    let on_error = move |failure: &grange_core::HandlerFailure, cx: &grange_core::Context| {
        sink.lock().expect("no test panics here").push(format!("{}: {failure}", cx.uri()));
    };
    let server = Server::builder("told", "1").resource(resource).on_error(on_error).build();
    (server.expect("the resource must be valid"), reported)
}

/// The revisions with a handshake.
pub(crate) fn handshakes() -> impl Iterator<Item = Revision> {
    Revision::ALL.into_iter().filter(|revision| revision.has_handshake())
}
