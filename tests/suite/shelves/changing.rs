//! How a shelf changes, and what requests see of it.

use std::sync::mpsc;

use grange_core::{CacheScope, Completion, Revision, Server, Shelf, Template};
use grange_testkit::connect;
use serde_json::json;

use super::{builder, listed, note, serving};
use crate::raw::{self, modern};
use crate::schema::clients;

#[tokio::test]
async fn l4_1_every_revision_lists_and_reads_what_is_on_the_shelf_now() {
    let shelf = Shelf::new();
    for mut client in clients(&serving(&shelf)).await {
        shelf.replace([note("notes://2", "two"), note("notes://1", "one")]).unwrap();
        assert_eq!(listed(&mut client).await, ["notes://fixed", "notes://1", "notes://2"]);
        assert_eq!(client.read("notes://1").await.unwrap().text(), Some("one"));
        shelf.insert(note("notes://1", "another")).unwrap();
        assert_eq!(client.read("notes://1").await.unwrap().text(), Some("another"));
        assert!(shelf.remove("notes://1") && !shelf.remove("notes://1"));
        assert_eq!(listed(&mut client).await, ["notes://fixed", "notes://2"]);
        assert!(client.read("notes://1").await.is_err());
        assert_eq!(client.read("notes://2").await.unwrap().text(), Some("two"));
    }
}

#[tokio::test]
async fn l4_1_a_running_read_keeps_the_definition_that_it_began_with() {
    let shelf = Shelf::new();
    let (gate, opened) = tokio::sync::watch::channel(false);
    shelf
        .insert(
            builder("notes://slow")
                .read(move |_| {
                    let mut opened = opened.clone();
                    async move {
                        opened.wait_for(|is_open| *is_open).await?;
                        Ok("old")
                    }
                })
                .build(),
        )
        .unwrap();
    let mut client = connect(&serving(&shelf), Revision::V2025_11_25).await.unwrap();
    let read = client.start("resources/read", json!({ "uri": "notes://slow" }));
    client.settle();
    shelf.insert(note("notes://slow", "new")).unwrap();
    assert_eq!(client.read("notes://slow").await.unwrap().text(), Some("new"));
    gate.send(true).unwrap();
    let answer = client.finish(read).await.unwrap();
    assert_eq!(answer["contents"][0]["text"], "old");
}

#[test]
fn l4_2_all_mistakes_are_reported_and_nothing_is_changed() {
    let shelf = Shelf::new();
    shelf.insert(note("notes://1", "one")).unwrap();
    let nameless = || grange_core::Resource::builder().uri("notes://2").text("two").build();
    let error = shelf
        .change(|set| {
            set.remove("notes://1");
            set.insert(nameless());
            set.insert(note("no uri", "three"));
        })
        .unwrap_err();
    let subjects: Vec<_> = error.errors().iter().map(grange_core::DefinitionError::subject).collect();
    assert_eq!(subjects, ["resource `no uri`", "resource `notes://2`"]);
    assert!(
        error.to_string().starts_with("the change of the shelf has 2 errors:\n  resource `no uri`: uri "),
        "{error}"
    );
    assert_eq!((shelf.len(), shelf.get("notes://1").is_some()), (1, true));
    assert!(shelf.insert(nameless()).is_err());
    let twice = shelf.replace([note("notes://3", "a"), note("notes://3", "b")]).unwrap_err();
    assert!(twice.to_string().contains("resource `notes://3`: the uri is declared twice"), "{twice}");
    assert_eq!(shelf.len(), 1);
    // What is gone again has no mistakes.
    shelf
        .change(|set| {
            set.insert(nameless());
            set.remove("notes://2");
        })
        .unwrap();
}

#[test]
fn l4_2_a_reader_does_not_wait_for_a_change() {
    let shelf = Shelf::new();
    shelf.insert(note("notes://1", "one")).unwrap();
    let server = serving(&shelf);
    let (begun, has_begun) = mpsc::channel();
    let (end, ended) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let shelf = &shelf;
        scope.spawn(move || {
            shelf.change(|set| {
                set.clear();
                begun.send(()).unwrap();
                ended.recv().unwrap();
            })
        });
        has_begun.recv().unwrap();
        assert_eq!(
            modern(&server, "resources/read", json!({ "uri": "notes://1" })).result()["contents"][0]["text"],
            "one"
        );
        assert_eq!(modern(&server, "resources/list", json!({})).result()["resources"].as_array().unwrap().len(), 2);
        end.send(()).unwrap();
    });
    assert!(shelf.is_empty());
}

#[test]
fn l4_2_two_changes_never_lose_one_another() {
    const THREADS: usize = 4;
    const CHANGES: usize = 200;
    let shelf = Shelf::new();
    shelf.insert(note("count://0", "0")).unwrap();
    let server = serving(&shelf);
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let shelf = &shelf;
            scope.spawn(move || {
                for change in 0..CHANGES {
                    let own = format!("notes://{thread}/{change}");
                    shelf
                        .change(|set| {
                            let count = set.len();
                            set.insert(note(&own, "own"));
                            set.insert(note("count://0", &count.to_string()));
                        })
                        .unwrap();
                }
            });
        }
        // A reader sees both resources of a change or none.
        for _ in 0..CHANGES {
            let listed = modern(&server, "resources/list", json!({})).result()["resources"].as_array().unwrap().len();
            assert!((2..=2 + THREADS * CHANGES).contains(&listed));
        }
    });
    assert_eq!(shelf.len(), 1 + THREADS * CHANGES);
    assert_eq!(text(&server, "count://0"), (THREADS * CHANGES).to_string());
}

fn text(server: &Server, uri: &str) -> String {
    let result = modern(server, "resources/read", json!({ "uri": uri })).result();
    result["contents"][0]["text"].as_str().expect("a text").to_owned()
}

#[test]
fn l4_2_a_change_that_panics_changes_nothing() {
    let shelf = Shelf::new();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        shelf.change(|set| {
            set.insert(note("notes://1", "one"));
            panic!("in the change");
        })
    }));
    assert!(panicked.is_err() && shelf.is_empty());
    shelf.insert(note("notes://1", "one")).unwrap();
    assert_eq!(shelf.len(), 1);
}

#[test]
fn l4_4_what_is_fixed_comes_before_shelves_and_an_earlier_shelf_before_a_later() {
    let [first, second] = [Shelf::new(), Shelf::new()];
    first.replace([note("notes://fixed", "first"), note("notes://both", "first")]).unwrap();
    second
        .replace([note("notes://both", "second"), note("notes://n/A", "second"), note("notes://n/a", "second")])
        .unwrap();
    let template = Template::builder().uri("notes://n/{id}").name("any").read(|_, id: String| async move { Ok(id) });
    let server = Server::builder("notes", "1.0.0")
        .resource(note("notes://fixed", "fixed"))
        .shelf(&first)
        .shelf(&second)
        .template(template.complete_from("id", ["x"]).build())
        .build()
        .unwrap();
    let list = modern(&server, "resources/list", json!({})).result();
    let uris: Vec<_> = list["resources"].as_array().unwrap().iter().map(super::uri).collect();
    assert_eq!(uris, ["notes://fixed", "notes://both", "notes://n/A", "notes://n/a"]);
    for (uri, expected) in
        [("notes://fixed", "fixed"), ("notes://both", "first"), ("notes://n/A", "second"), ("notes://n/B", "B")]
    {
        assert_eq!(text(&server, uri), expected);
    }
    // L2.2: a resource has no arguments.
    let reference = json!({ "type": "ref/resource", "uri": "notes://n/A" });
    let params = json!({ "ref": reference, "argument": { "name": "id", "value": "" } });
    let completed = modern(&server, "completion/complete", params).result();
    assert_eq!(completed["completion"]["values"].as_array().unwrap().len(), Completion::default().values().len());
    first.remove("notes://both");
    assert_eq!(text(&server, "notes://both"), "second");
}

#[test]
fn l4_5_the_scope_of_a_list_is_settled_at_build_and_its_ttl_is_0() {
    let hints = |shelf: &Shelf| {
        let fixed = note("notes://fixed", "fixed").to_builder().cache_scope(CacheScope::Public).build();
        let server = Server::builder("notes", "1.0.0")
            .cache_scope(CacheScope::Public)
            .resource(fixed)
            .shelf(shelf)
            .build()
            .unwrap();
        let list = modern(&server, "resources/list", json!({})).result();
        (list["cacheScope"].clone(), list["ttlMs"].clone())
    };
    let shelf = Shelf::new();
    assert_eq!(hints(&shelf), (json!("private"), json!(0)));
    let public = shelf.clone().cache_scope(CacheScope::Public);
    assert_eq!(hints(&public), (json!("public"), json!(0)));
    // Entries that come later do not count.
    shelf.insert(builder("notes://1").text("one").cache_scope(CacheScope::Private).build()).unwrap();
    assert_eq!(hints(&public), (json!("public"), json!(0)));
}

#[test]
fn l6_1_a_shelf_declares_resources_that_change_and_is_added_once() {
    let shelf = Shelf::new();
    let server = Server::builder("notes", "1.0.0").shelf(&shelf).build().unwrap();
    let capabilities = modern(&server, "server/discover", json!({})).result()["capabilities"].clone();
    assert_eq!(capabilities, json!({ "resources": { "subscribe": true, "listChanged": true } }));
    assert!(server.announces_changes());
    let error = Server::builder("notes", "1.0.0").shelf(&shelf).shelf(&shelf.clone()).build().unwrap_err();
    assert!(error.to_string().contains("server: a shelf is added twice: add it once"), "{error}");
    assert_eq!(raw::modern(&server, "resources/list", json!({})).result()["resources"], json!([]));
}
