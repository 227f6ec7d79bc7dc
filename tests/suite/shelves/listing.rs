//! Templates that list their resources.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use grange_core::{
    Annotations, CacheScope, Changes, Context, Entries, Entry, HandlerFailure, Icon, List, ListPage, Providers,
    ReadError, Revision, Server, ServerBuilder, Shelf, Template, TemplateBuilder,
};
use grange_testkit::connect;
use serde_json::{Value, json};

use super::{note, uri};
use crate::raw::modern;
use crate::schema::clients;

/// A template of numbers, and how often it is asked to list them.
fn rows(template: &'static str) -> TemplateBuilder {
    Template::builder()
        .uri(template)
        .name("row")
        .mime_type("text/plain")
        .read(|_, n: u64| async move { Ok(n.to_string()) })
}

/// The numbers behind the page's token, up to `last`.
fn keyset(page: &ListPage, last: u64) -> Entries {
    let after = page.after().and_then(|after| after.parse().ok()).unwrap_or(0);
    let rows: Vec<u64> = (after + 1..=last).take(page.limit()).collect();
    let next = rows.last().filter(|n| **n < last);
    page.entries(&rows, |n| (*n, Entry::new(n.to_string()))).next(next)
}

fn listing(template: &'static str, last: u64) -> Template {
    rows(template).list(move |_, page| async move { Ok(keyset(&page, last)) }).build()
}

fn page(server: &Server, cursor: Option<&str>) -> Value {
    let params = cursor.map_or_else(|| json!({}), |cursor| json!({ "cursor": cursor }));
    modern(server, "resources/list", params).result()
}

/// The URIs of each page.
fn pages(server: &Server) -> Vec<Vec<String>> {
    let (mut pages, mut cursor) = (Vec::new(), None);
    loop {
        let page = page(server, cursor.as_deref());
        pages.push(page["resources"].as_array().unwrap().iter().map(uri).collect());
        match page.get("nextCursor") {
            Some(next) => cursor = Some(next.as_str().expect("a string").to_owned()),
            None => return pages,
        }
    }
}

#[test]
fn l5_1_a_page_runs_over_sections_and_calls_one_template_at_most() {
    let shelf = Shelf::new();
    shelf.replace([note("notes://1", "one"), note("notes://2", "two")]).unwrap();
    let calls = Arc::<AtomicUsize>::default();
    let counted = |template, last| {
        let calls = calls.clone();
        let list = move |_: Context, page: ListPage| {
            calls.fetch_add(1, Ordering::SeqCst);
            async move { Ok(keyset(&page, last)) }
        };
        rows(template).list(list).build()
    };
    let server = Server::builder("rows", "1.0.0")
        .resource(note("fixed://1", "fixed"))
        .template(counted("a://{n}", 4))
        .template(rows("silent://{n}").build())
        .template(counted("b://{n}", 1))
        .shelf(&shelf)
        .page_size(2)
        .build()
        .unwrap();
    let expected: [&[&str]; 4] =
        [&["fixed://1", "notes://1"], &["notes://2", "a://1"], &["a://2", "a://3"], &["a://4"]];
    assert_eq!(pages(&server), [&expected[..], &[&["b://1"]]].concat());
    assert_eq!(calls.load(Ordering::SeqCst), 4);
}

#[tokio::test]
async fn l5_7_entries_have_the_fields_of_each_revision() {
    let entry = || {
        Entry::new("row")
            .title("Row")
            .description("A row")
            .size(3)
            .annotations(Annotations::new().priority(0.5).last_modified("2026-01-01T00:00:00Z"))
            .icons([Icon::new("https://example.com/row.png")])
            .meta(json!({ "example.com/kind": "row" }))
    };
    let template = rows("rows://{n}").list(move |_, page| async move {
        Ok(page.entries([(1, entry()), (2, Entry::new("two").mime_type("text/html"))], |row| row))
    });
    let server = Server::builder("rows", "1.0.0").template(template.build()).build().unwrap();
    for mut client in clients(&server).await {
        let listed = client.list().await.unwrap();
        let fixed = grange_core::Resource::builder()
            .uri("rows://1")
            .name("row")
            .title("Row")
            .description("A row")
            .mime_type("text/plain")
            .size(3)
            .annotations(Annotations::new().priority(0.5).last_modified("2026-01-01T00:00:00Z"))
            .icons([Icon::new("https://example.com/row.png")])
            .meta(json!({ "example.com/kind": "row" }))
            .text("1")
            .build();
        let twin = Server::builder("twin", "1.0.0").resource(fixed).build().unwrap();
        let twin = connect(&twin, client.revision()).await.unwrap().list().await.unwrap();
        assert_eq!((&listed[0], listed.len()), (&twin[0], 2));
        assert_eq!(listed[1]["mimeType"], "text/html");
        assert_eq!(client.read("rows://2").await.unwrap().text(), Some("2"));
    }
}

#[test]
fn l5_7_a_page_may_depend_on_the_caller_and_is_private_then() {
    let hints = |scope| {
        let template = listing("rows://{n}", 1).to_builder().cache_scope(scope).build();
        let server =
            Server::builder("rows", "1.0.0").cache_scope(CacheScope::Public).template(template).build().unwrap();
        (page(&server, None)["cacheScope"].clone(), page(&server, None)["ttlMs"].clone())
    };
    assert_eq!(hints(CacheScope::Public), (json!("public"), json!(0)));
    assert_eq!(hints(CacheScope::Private), (json!("private"), json!(0)));
}

#[test]
fn l1_17_an_instance_that_a_fixed_or_shelf_uri_hides_is_left_out() {
    let shelf = Shelf::new();
    shelf.insert(note("rows://2", "shelf")).unwrap();
    let server = Server::builder("rows", "1.0.0").resource(note("rows://1", "fixed")).shelf(&shelf);
    let server = server.template(listing("rows://{n}", 4)).page_size(3).build().unwrap();
    assert_eq!(pages(&server), [vec!["rows://1", "rows://2"], vec!["rows://3", "rows://4"]]);
    let reference = server.uris().collect::<Vec<_>>();
    assert_eq!(reference, ["rows://1"]);
}

type Failures = Arc<Mutex<Vec<(String, String)>>>;

/// A server with one template that lists by this code, and the failures that it reports.
fn failing(template: Template) -> (Server, Failures) {
    let failures = Failures::default();
    let server: ServerBuilder = Server::builder("rows", "1.0.0").template(template).page_size(2);
    let server = server.on_error({
        let failures = failures.clone();
        move |failure, cx| failures.lock().unwrap().push((cx.target().to_string(), failure.to_string()))
    });
    (server.build().unwrap(), failures)
}

#[track_caller]
fn assert_fails(template: Template, cursor: Option<&str>, expected: &[&str]) {
    let (server, failures) = failing(template);
    let params = cursor.map_or_else(|| json!({}), |cursor| json!({ "cursor": cursor }));
    assert_eq!(modern(&server, "resources/list", params).code(), -32603);
    let failures = failures.lock().unwrap();
    let [(target, failure)] = &failures[..] else { panic!("one failure, not {failures:?}") };
    assert_eq!(target, "list of `rows://{n}`");
    for part in expected {
        assert!(failure.contains(part), "{failure}");
    }
}

#[test]
fn l1_17_entries_of_another_template_and_entries_twice_are_failures() {
    let at = |uris: [&'static str; 2]| {
        let list = move |_, page: ListPage| async move { Ok(page.entries_at(uris, |uri| (uri, Entry::new("row")))) };
        rows("rows://{n}").list(list).build()
    };
    assert_fails(at(["rows://1", "other://1"]), None, &["`other://1`: the template `rows://{n}` does not match it"]);
    assert_fails(at(["rows://1", "rows://a/b"]), None, &["`rows://a/b`: the template"]);
    assert_fails(at(["rows://7", "rows://7"]), None, &["`rows://7`: it is listed twice"]);
}

#[test]
fn l5_2_what_cannot_be_a_page_is_a_failure() {
    let by =
        |code: fn(&ListPage) -> Entries| rows("rows://{n}").list(move |_, page| async move { Ok(code(&page)) }).build();
    let too_many = by(|page| page.entries(0..3, |n| (n, Entry::new("row"))));
    assert_fails(too_many, None, &["there are 3 entries: give at most `page.limit()`, which is 2"]);
    let long = by(|page| page.entries(0..1, |n| (n, Entry::new("row"))).next(Some("a".repeat(1025))));
    assert_fails(long, None, &["the token of the next page has 1025 bytes, and 1024 are possible"]);
    let nameless = by(|page| page.entries(7..8, |n| (n, Entry::new("").mime_type("none"))));
    assert_fails(nameless, None, &["`rows://7`: name is missing", "mime_type `none`"]);
    let unwritable = by(|page| page.entries([".."], |n| (n, Entry::new("row"))));
    assert_fails(unwritable, None, &["the URI of template `rows://{n}`"]);
    let failing = rows("rows://{n}").list(|_, _| async { Err::<Entries, _>(ReadError::from("out of rows")) });
    assert_fails(failing.build(), None, &["out of rows"]);
    let absent = rows("rows://{n}").list(|_, _| async { Err::<Entries, _>(ReadError::not_found()) });
    assert_fails(absent.build(), None, &["does not exist"]);
    let panicking = rows("rows://{n}")
        .list(|_, page| async move { Ok(page.entries([1], |_| -> (u64, Entry) { panic!("no row") })) });
    assert_fails(panicking.build(), None, &["the code panicked: no row"]);
    // The very token that it was given.
    let stuck = || by(|page| page.entries(0..1, |n| (n, Entry::new("row"))).next(Some("same")));
    let first = page(&failing_server(stuck()), None);
    assert_fails(stuck(), first["nextCursor"].as_str(), &["the token of the next page is that of this page, `same`"]);
}

fn failing_server(template: Template) -> Server {
    failing(template).0
}

#[test]
fn l5_2_a_token_reaches_the_code_as_the_code_gave_it() {
    let token = "ü \"\\\u{0}/?#".to_owned() + &"x".repeat(1000);
    let given = Arc::<Mutex<Vec<Option<String>>>>::default();
    let list = {
        let (given, token) = (given.clone(), token.clone());
        move |_: Context, page: ListPage| {
            let next = page.after().is_none().then(|| token.clone());
            given.lock().unwrap().push(page.after().map(str::to_owned));
            async move { Ok(page.entries(0..0, |n: u64| (n, Entry::new("row"))).next(next)) }
        }
    };
    let server = Server::builder("rows", "1.0.0").template(rows("rows://{n}").list(list).build()).build().unwrap();
    assert_eq!(pages(&server), [Vec::<String>::new(), Vec::new()], "a page may be empty, and be followed by others");
    assert_eq!(*given.lock().unwrap(), [None, Some(token)]);
}

#[tokio::test]
async fn l5_2_a_list_runs_like_a_read() {
    struct Db(u64);
    let list = |cx: Context, page: ListPage| async move { Ok(keyset(&page, cx.get::<Db>().await?.0)) };
    let template = rows("rows://{n}").list(list).build();
    let server = Server::builder("rows", "1.0.0").template(template.clone()).provide_value(Db(2)).build().unwrap();
    let mut client = connect(&server, Revision::V2025_11_25).await.unwrap();
    assert_eq!(super::listed(&mut client).await, ["rows://1", "rows://2"]);
    // The same alone, for a test of the code.
    let mut providers = Providers::new();
    providers.value(Db(5));
    let entries = template.list(Context::detached(providers), Some("2"), 2).await.unwrap();
    assert_eq!((entries.uris().collect::<Vec<_>>(), entries.token()), (vec!["rows://3", "rows://4"], Some("4")));
    let failure = template.list(Context::detached(Providers::new()), None, 2).await.unwrap_err();
    assert!(matches!(failure, HandlerFailure::MissingProvider { .. }), "{failure}");
}

#[tokio::test]
async fn l5_5_cancelling_stops_the_code_and_its_time_is_limited() {
    struct Stopped(Arc<AtomicUsize>);
    impl Drop for Stopped {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
    let stopped = Arc::<AtomicUsize>::default();
    let list = {
        let stopped = stopped.clone();
        move |_: Context, _: ListPage| {
            let guard = Stopped(stopped.clone());
            async move {
                let _guard = guard;
                std::future::pending::<Result<Entries, ReadError>>().await
            }
        }
    };
    let (server, failures) = failing(rows("rows://{n}").list(list).build());
    let mut client = connect(&server, Revision::V2026_07_28).await.unwrap();
    let pending = client.start("resources/list", json!({}));
    client.settle();
    client.cancel(pending);
    client.settle();
    assert_eq!(stopped.load(Ordering::SeqCst), 1);
    let pending = client.start("resources/list", json!({}));
    client.settle();
    client.clock().advance(server.limits().request_time);
    assert_eq!(client.finish(pending).await.unwrap_err().code, -32603);
    assert_eq!(stopped.load(Ordering::SeqCst), 2);
    assert_eq!(failures.lock().unwrap().len(), 1, "a cancelled request reports nothing");
}

#[tokio::test]
async fn l3_3_a_page_that_ran_while_a_list_changed_is_not_kept() {
    let changes = Changes::new();
    let list = {
        let changes = changes.clone();
        move |_: Context, page: ListPage| {
            let changes = changes.clone();
            async move {
                if page.after().is_none() {
                    changes.relisted(List::Resources);
                }
                Ok(keyset(&page, 2))
            }
        }
    };
    let server = Server::builder("rows", "1.0.0").ttl(std::time::Duration::from_secs(9)).changes(&changes).page_size(1);
    let server = server.template(rows("rows://{n}").list(list).build()).build().unwrap();
    let first = page(&server, None);
    assert_eq!(first["ttlMs"], 0);
    // L4.5: the author has said how long a list may be kept.
    assert_eq!(page(&server, first["nextCursor"].as_str())["ttlMs"], 9000);
}
