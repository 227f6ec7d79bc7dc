//! The servers of the transcripts: small, with one resource for each case.

mod atlas;
mod shop;
mod workshop;

use std::future::pending;
use std::io;
use std::time::Duration;

use grange_core::{
    Annotations, CacheScope, Contents, Context, Icon, Item, Metadata, ReadError, Resource, ResourceBuilder, Revision,
    Role, Server, ServerBuilder, Template, Theme,
};

/// The server that a transcript names with `# server: …`.
pub(super) fn named(name: &str) -> Server {
    let server = match name {
        "atlas" => atlas::server(),
        "almanac" => almanac(),
        "bare" => Server::builder("bare", "1.0.0"),
        "empty" => Server::builder("empty", "1.0.0").resources([]),
        "paged" => paged(),
        "public" => public(),
        "shop" => shop::server(),
        "tool-only" => tool_only(),
        "workshop" => workshop::server(),
        "legacy" => {
            let legacy = Revision::ALL.into_iter().filter(|revision| revision.has_handshake());
            almanac().revisions(legacy)
        }
        "modern" => {
            let modern = Revision::ALL.into_iter().filter(|revision| !revision.has_handshake());
            almanac().revisions(modern)
        }
        _ => panic!("no transcript server is called {name}"),
    };
    server.build().unwrap()
}

/// A server whose resources are reached with tools.
fn tool_only() -> ServerBuilder {
    let order = Template::builder().uri("demo://orders/{id}").name("order").mime_type("application/json");
    let order = order.read(|cx: Context, id: u64| async move { Ok(format!("{id} at {}", cx.uri())) });
    let failing = [
        resource("quota").read(|_cx| async { Err::<Contents, _>(quota()) }),
        resource("broken").read(|_cx| async { Err::<Contents, _>(io::Error::other("secret=/srv/key").into()) }),
    ];
    Server::builder("tool-only", "1.0.0")
        .on_error(|_failure, _cx| {})
        .resources(fixed())
        .resources(failing.map(ResourceBuilder::build))
        .template(order.build())
        .page_size(4)
        .resources_as_tools()
}

/// A server with every feature.
fn almanac() -> ServerBuilder {
    let computed = [resource("echo").read(echo), resource("report").read(report), resource("nothing").read(nothing)];
    let failing = [
        resource("gone").read(|_cx| async { Err::<Contents, _>(ReadError::not_found()) }),
        resource("quota").read(|_cx| async { Err::<Contents, _>(quota()) }),
        resource("broken").read(|_cx| async { Err::<Contents, _>(io::Error::other("secret=/srv/key").into()) }),
        resource("invalid").read(|_cx| async { Ok(Item::text("no uri", "x")) }),
        resource("panics").read(|_cx| async { if true { panic!("secret=/srv/key") } else { Ok("") } }),
        resource("stuck").read(|_cx| async { Ok(pending::<String>().await) }),
    ];
    Server::builder("almanac", "1.2.0")
        .title("Almanac")
        .description("What is true this year.")
        .website_url("https://example.com/almanac")
        .icons([Icon::new("https://example.com/almanac.png").mime_type("image/png").size("48x48")])
        .instructions("Read docs://guide first.")
        .on_error(|_failure, _cx| {})
        .resources(fixed())
        .resources(computed.into_iter().chain(failing).map(ResourceBuilder::build))
}

fn fixed() -> [Resource; 4] {
    let hints = Annotations::new().audience([Role::User, Role::Assistant]).priority(0.8);
    let icon = Icon::new("data:image/png;base64,iVBORw0KGgo=").size("any").theme(Theme::Dark);
    let guide = resource("guide")
        .title("The guide")
        .description("Where to begin.")
        .mime_type("text/markdown")
        .annotations(hints.last_modified("2026-01-01T00:00:00Z"))
        .icons([icon])
        .meta(Metadata::new().with("example.com/section", 1))
        .content_meta(Metadata::new().with("example.com/reviewed", true))
        .ttl(Duration::from_secs(60))
        .cache_scope(CacheScope::Public)
        .text("# Guide\n\n\"Quoted\", caf\u{e9}, \u{2028}\t\u{1}.");
    let dated = Annotations::new().last_modified("2026-01-01T00:00:00Z");
    let logo = resource("logo").mime_type("application/octet-stream").annotations(dated).bytes(b"\xfb\xff\x00");
    let entries = [guide, logo, resource("empty").text(""), resource("empty-bytes").bytes(b"")];
    entries.map(ResourceBuilder::build)
}

fn resource(name: &'static str) -> ResourceBuilder {
    Resource::builder().uri(format!("docs://{name}")).name(name)
}

/// The data about the request that a reader gets.
async fn echo(cx: Context) -> Result<String, ReadError> {
    let client = cx.client_info().and_then(|info| Some(info.get("name")?.as_str()?.to_owned()));
    let trace = cx.meta().get("example.com/trace").cloned();
    let seen = [cx.protocol_version().map(str::to_owned), client, trace.map(|trace| trace.to_string())];
    Ok(seen.map(|part| part.unwrap_or_else(|| "-".to_owned())).join(" "))
}

async fn report(cx: Context) -> Result<Contents, ReadError> {
    let text = Item::text(cx.uri().to_owned(), "Report complete.").mime_type("text/plain");
    Ok(Contents::new()
        .item(text.meta("example.com/page", 1))
        .item(Item::bytes("docs://report/data", vec![1, 2, 3]).mime_type("application/octet-stream"))
        .item(Item::base64("docs://report/more", "AQID"))
        .item(Item::text("docs://report/empty", ""))
        .meta("example.com/version", 7))
}

async fn nothing(_cx: Context) -> Result<Contents, ReadError> {
    Ok(Contents::new())
}

fn quota() -> ReadError {
    ReadError::public(4290, "quota exhausted").data(serde_json::json!({ "retryAfterMs": 500 }))
}

/// Three entries on pages of two.
fn paged() -> ServerBuilder {
    let entries = ["one", "two", "three"].map(|name| resource(name).text(name).build());
    Server::builder("paged", "1.0.0").page_size(2).resources(entries)
}

/// Its own cache hints, with a public scope.
fn public() -> ServerBuilder {
    let entry = resource("one").text("one").build();
    let private = resource("own").text("own").cache_scope(CacheScope::Private).ttl(Duration::ZERO).build();
    let server = Server::builder("public", "1.0.0").ttl(Duration::from_millis(1500));
    server.cache_scope(CacheScope::Public).resources([entry, private])
}
