//! Walks over the pages of a list.

use std::collections::{BTreeMap, BTreeSet};

use grange_core::{Server, Shelf};
use proptest::prelude::*;
use serde_json::json;

use super::{note, serving, uri};
use crate::raw::modern;

fn page(server: &Server, cursor: Option<&str>) -> (Vec<String>, Option<String>) {
    let params = cursor.map_or_else(|| json!({}), |cursor| json!({ "cursor": cursor }));
    let result = modern(server, "resources/list", params).result();
    let next = result.get("nextCursor").map(|next| next.as_str().expect("a string").to_owned());
    assert_ne!(next.as_deref(), Some(""));
    (result["resources"].as_array().expect("an array").iter().map(uri).collect(), next)
}

fn paged(shelf: &Shelf, size: usize) -> Server {
    let fixed = (0..4).map(|n| note(&format!("fixed://{n}"), "fixed"));
    Server::builder("notes", "1.0.0").resources(fixed).shelf(shelf).page_size(size).build().expect("a server")
}

fn at(n: u16) -> String {
    format!("notes://{n:03}")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Case L14.
    #[test]
    fn l4_4_a_walk_meets_each_lasting_entry_once_whatever_comes_and_goes(
        lasting in prop::collection::btree_set(0..60_u16, 0..30),
        changes in prop::collection::vec(prop::collection::vec((0..60_u16, any::<bool>()), 0..6), 40),
        size in 1..5_usize,
    ) {
        let shelf = Shelf::new();
        shelf.replace(lasting.iter().map(|n| note(&at(*n), "lasting"))).unwrap();
        let server = paged(&shelf, size);
        let (mut seen, mut cursor) = (BTreeMap::<String, usize>::new(), None);
        for changes in changes {
            let (uris, next) = page(&server, cursor.as_deref());
            prop_assert!(uris.len() <= size);
            for uri in uris {
                *seen.entry(uri).or_default() += 1;
            }
            for (n, is_insert) in changes.into_iter().filter(|(n, _)| !lasting.contains(n)) {
                if is_insert {
                    shelf.insert(note(&at(n), "passing")).unwrap();
                } else {
                    shelf.remove(&at(n));
                }
            }
            cursor = next;
            if cursor.is_none() {
                break;
            }
        }
        while let Some(at) = cursor.take() {
            let (uris, next) = page(&server, Some(&at));
            for uri in uris {
                *seen.entry(uri).or_default() += 1;
            }
            cursor = next;
        }
        prop_assert!(seen.values().all(|times| *times == 1), "{seen:?}");
        let expected: BTreeSet<_> = lasting.iter().map(|n| at(*n)).chain((0..4).map(|n| format!("fixed://{n}"))).collect();
        prop_assert!(expected.iter().all(|uri| seen.contains_key(uri)), "{seen:?}");
    }
}

#[test]
fn l5_3_a_cursor_holds_where_the_shelf_differs_and_only_for_this_list() {
    let (one, other) = (Shelf::new(), Shelf::new());
    one.replace((0..9).map(|n| note(&at(n), "one"))).unwrap();
    other.replace([2, 5, 40].map(|n| note(&at(n), "other"))).unwrap();
    let (first, second) = (paged(&one, 3), paged(&other, 3));
    let (_, cursor) = page(&first, None);
    let (uris, cursor) = page(&first, cursor.as_deref());
    assert_eq!(uris, ["fixed://3", "notes://000", "notes://001"]);
    let cursor = cursor.expect("a cursor");
    assert_eq!(page(&second, Some(&cursor)).0, ["notes://002", "notes://005", "notes://040"]);
    let code = |server: &Server, method, cursor: &str| modern(server, method, json!({ "cursor": cursor })).code();
    for changed in
        [format!("{cursor} "), cursor.replacen('1', "2", 1), cursor[1..].to_owned(), "1".to_owned(), String::new()]
    {
        assert_eq!(code(&first, "resources/list", &changed), -32602, "{changed}");
    }
    for server in [paged(&one, 4), serving(&one)] {
        assert_eq!(code(&server, "resources/list", &cursor), -32602);
    }
    assert_eq!(code(&first, "resources/templates/list", &cursor), -32602, "L1.15");
}

#[test]
fn l5_4_pages_have_1000_entries_by_default_if_a_section_can_grow() {
    let shelf = Shelf::new();
    shelf.replace((0..1500).map(|n| note(&format!("notes://{n:05}"), "note"))).unwrap();
    let server = serving(&shelf);
    let (uris, next) = page(&server, None);
    assert_eq!((uris.len(), &*uris[0], &*uris[999]), (1000, "notes://fixed", "notes://00998"));
    let (uris, next) = page(&server, next.as_deref());
    assert_eq!((uris.len(), next), (501, None));
    // What is full at the end has no other page.
    shelf.change(|set| (0..501).for_each(|n| drop(set.remove(&format!("notes://{n:05}"))))).unwrap();
    assert_eq!(page(&server, None).1, None);
    let fixed = (0..1500).map(|n| note(&format!("notes://{n:05}"), "note"));
    let frozen = Server::builder("frozen", "1.0.0").resources(fixed).build().unwrap();
    assert_eq!(page(&frozen, None).0.len(), 1500, "a frozen server has one page");
}

#[test]
fn l4_4_the_tools_that_list_and_read_see_what_is_on_shelves_now() {
    let shelf = Shelf::new();
    shelf.replace([1, 3, 5].map(|n| note(&at(n), "lasting"))).unwrap();
    let fixed = [note("notes://003", "fixed"), note("fixed://1", "fixed")];
    let server = Server::builder("notes", "1.0.0").resources(fixed).shelf(&shelf).page_size(1).resources_as_tools();
    let server = server.build().unwrap();
    let call = |name: &str, arguments: serde_json::Value| {
        modern(&server, "tools/call", json!({ "name": name, "arguments": arguments })).result()
    };
    let (mut seen, mut arguments) = (Vec::new(), json!({ "prefix": "notes://" }));
    loop {
        let page = call("list_resources", arguments.clone())["structuredContent"].clone();
        seen.extend(page["resources"].as_array().unwrap().iter().map(uri));
        // The entry where the page ended goes, and one before it comes.
        if seen.last().is_some_and(|last| last == "notes://001") {
            shelf.remove("notes://001");
            shelf.insert(note("notes://000", "passing")).unwrap();
        }
        match page.get("nextCursor") {
            Some(next) => arguments["cursor"] = next.clone(),
            None => break,
        }
    }
    assert_eq!(seen, ["notes://003", "notes://001", "notes://005"]);
    for (uri, text) in [("notes://003", "fixed"), ("notes://005", "lasting"), ("notes://001", "Resource not found")] {
        assert_eq!(call("read_resource", json!({ "uri": uri }))["content"][0]["text"], text);
    }
}
