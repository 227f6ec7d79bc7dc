//! What clients are told of a shelf's changes.

use grange_core::{Changes, Revision, Server, Shelf};
use grange_testkit::{Client, connect};
use serde_json::json;

use super::{LIST, builder, note, serving, told};

/// A client of each era that subscribes to `notes://1` and to the list.
async fn listening(server: &Server) -> [Client; 2] {
    let mut old = connect(server, Revision::V2025_06_18).await.unwrap();
    old.subscribe("notes://1").await.unwrap();
    let mut new = connect(server, Revision::V2026_07_28).await.unwrap();
    let filter = json!({ "resourceSubscriptions": ["notes://1"], "resourcesListChanged": true });
    let (_stream, honored) = new.listen(&filter);
    assert_eq!(honored, filter);
    [old, new]
}

#[tokio::test]
async fn l4_3_a_shelf_announces_its_changes_by_itself() {
    let shelf = Shelf::new();
    shelf.insert(note("notes://1", "one")).unwrap();
    let mut clients = listening(&serving(&shelf)).await;
    let mut check = |change: &dyn Fn(), expected: &[&str]| {
        change();
        for client in &mut clients {
            assert_eq!(told(client), expected, "{:?}", client.revision());
        }
    };
    let insert = |text: &'static str| shelf.insert(note("notes://1", text)).unwrap();
    check(&|| insert("one"), &[]);
    check(&|| insert("two"), &["notes://1"]);
    // The size is in the list.
    check(&|| insert("three"), &["notes://1", LIST]);
    let titled = || builder("notes://1").title("One").text("three").build();
    check(&|| shelf.insert(titled()).unwrap(), &["notes://1", LIST]);
    check(&|| shelf.insert(titled()).unwrap(), &[]);
    check(&|| shelf.insert(note("notes://2", "two")).unwrap(), &[LIST]);
    check(&|| assert!(!shelf.remove("notes://3")), &[]);
    check(&|| assert!(shelf.remove("notes://2")), &[LIST]);
    check(&|| assert!(shelf.remove("notes://1")), &["notes://1", LIST]);
    // The subscription outlives its resource, and hears of its return.
    check(&|| insert("one"), &["notes://1", LIST]);
    check(&|| shelf.replace([note("notes://1", "one")]).unwrap(), &[]);
    check(&|| shelf.replace([note("notes://1", "One"), note("notes://4", "four")]).unwrap(), &["notes://1", LIST]);
    let both = || {
        shelf.change(|set| {
            set.remove("notes://1");
            set.insert(note("notes://1", "One"));
        })
    };
    check(&|| both().unwrap(), &[]);
    let invalid = || assert!(shelf.replace([note("no uri", "")]).is_err());
    check(&invalid, &[]);
    check(&|| shelf.change(grange_core::ShelfSet::clear).unwrap(), &["notes://1", LIST]);
}

#[tokio::test]
async fn l4_3_a_reader_that_is_replaced_is_announced_and_one_that_stays_is_not() {
    let shelf = Shelf::new();
    let make = || builder("notes://1").read(|_| async { Ok("now") }).build();
    let first = make();
    shelf.insert(first.clone()).unwrap();
    let mut clients = listening(&serving(&shelf)).await;
    shelf.insert(first.to_builder().build()).unwrap();
    assert!(clients.iter_mut().all(|client| told(client).is_empty()));
    shelf.insert(make()).unwrap();
    assert!(clients.iter_mut().all(|client| told(client) == ["notes://1"]));
}

#[tokio::test]
async fn l6_1_a_shelf_uses_the_hub_that_the_author_gives_and_announces_to_each_server() {
    let (shelf, changes) = (Shelf::new(), Changes::new());
    shelf.insert(note("notes://1", "one")).unwrap();
    let own = Server::builder("own", "1.0.0").shelf(&shelf).changes(&changes).build().unwrap();
    let mut clients = listening(&own).await;
    let [mut other, _] = listening(&serving(&shelf)).await;
    assert_eq!(changes.subscribed(), 2);
    changes.updated("notes://1");
    assert!(clients.iter_mut().all(|client| told(client) == ["notes://1"]));
    assert!(told(&mut other).is_empty());
    shelf.insert(note("notes://1", "two")).unwrap();
    assert!(clients.iter_mut().chain([&mut other]).all(|client| told(client) == ["notes://1"]));
}

#[tokio::test]
async fn l4_3_the_subscription_to_a_shelf_is_to_its_bytes() {
    let shelf = Shelf::new();
    shelf.replace([note("notes://n/%41", "escaped"), note("notes://n/A", "plain")]).unwrap();
    let mut client = connect(&serving(&shelf), Revision::V2025_11_25).await.unwrap();
    client.subscribe("notes://n/%41").await.unwrap();
    assert_eq!(client.subscribe("notes://n/B").await.unwrap_err().code, -32002);
    shelf.insert(note("notes://n/A", "PLAIN")).unwrap();
    assert!(told(&mut client).is_empty());
    shelf.insert(note("notes://n/%41", "ESCAPED")).unwrap();
    assert_eq!(told(&mut client), ["notes://n/%41"]);
}
