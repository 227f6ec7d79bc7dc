//! B3: valid results of the host are passed on unchanged, invalid ones are errors.

use bytes::Bytes;
use grange_core::{Contents, HostError, HostFilter, HostList, Item};
use grange_testkit::FakeHost;
use serde_json::{Value, json};

use super::{FILE, ID, OLD_FILE, OLD_ID, ask, asking, clients, newest};

/// A host that answers every request with this result.
fn gives(result: &Value) -> FakeHost {
    answers_with(&json!({ "result": result }))
}

/// A host that answers every request with these members.
fn answers_with(members: &Value) -> FakeHost {
    let members = members.clone();
    FakeHost::new().answers_with(move |request| {
        let mut answer = members.clone();
        answer["jsonrpc"] = "2.0".into();
        answer["id"] = request["id"].clone();
        vec![answer]
    })
}

/// The outcome of a read for this result of the host.
async fn read(result: &Value) -> Result<Contents, HostError> {
    let (server, found) = asking(|host| async move { host.read(FILE).await });
    let mut all = Vec::new();
    for (_, mut client) in newest(&server, || gives(result)).await {
        ask(&mut client).await;
        all.push(found.one());
    }
    assert!(all.iter().all(|each| *each == all[0]), "{all:?}");
    all.remove(0)
}

/// The outcome of a list for this result of the host.
async fn list(result: &Value) -> Result<HostList, HostError> {
    let (server, found) = asking(|host| async move { host.list(HostFilter::new()).await });
    let mut all = Vec::new();
    for (_, mut client) in newest(&server, || gives(result)).await {
        ask(&mut client).await;
        all.push(found.one());
    }
    all.remove(0)
}

#[tokio::test(start_paused = true)]
async fn b3_text_and_bytes_keep_their_kind() {
    const BYTES: &[u8] = b"a\xff\xe2\x82b\xf0\x9f\x98\x80\r\n\0";
    let lossy = "a\u{fffd}\u{fffd}b\u{1f600}\r\n\0";
    let (server, found) = asking(|host| async move { (host.read(FILE).await.unwrap(), host.read(OLD_FILE).await) });
    for (mime_type, text) in [
        ("text/plain", true),
        ("TEXT/CSV; charset=utf-8", true),
        ("text/x-unknown;a=b", true),
        ("application/json", true),
        ("Application/JSON ; charset=latin1", true),
        ("application/xml", true),
        ("application/yaml", true),
        ("application/json5", false),
        ("application/ld+json", false),
        ("image/png", false),
        ("textual/plain", false),
        ("", false),
    ] {
        let payload = |uri| if text { Item::text(uri, lossy) } else { Item::bytes(uri, BYTES) }.mime_type(mime_type);
        let host = || FakeHost::new().file(ID, mime_type, BYTES).file(OLD_ID, mime_type, BYTES);
        for mut client in clients(&server, host).await {
            ask(&mut client).await;
            let (file, old) = found.one();
            assert_eq!(file, Contents::new().item(payload(FILE)), "{mime_type}");
            assert_eq!(old, Ok(Contents::new().item(payload(OLD_FILE))), "{mime_type}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn b3_the_helpers_return_text_or_bytes_or_an_error() {
    let (server, found) = asking(|host| async move { (host.read_text(FILE).await, host.read_bytes(FILE).await) });
    let text = Item::text(FILE, "grüße");
    let not_text = || HostError::NotText { uri: FILE.to_owned() };
    let empty = || HostError::Empty { uri: FILE.to_owned() };
    for (contents, expected) in [
        (json!([{ "uri": FILE, "text": "grüße" }]), (Ok("grüße".into()), Ok(Bytes::from("grüße")))),
        (json!([{ "uri": FILE, "text": "" }]), (Ok("".into()), Ok(Bytes::new()))),
        (json!([{ "uri": FILE, "blob": "+/8A" }]), (Err(not_text()), Ok(Bytes::from_static(b"\xfb\xff\0")))),
        (json!([{ "uri": FILE, "blob": "" }]), (Err(not_text()), Ok(Bytes::new()))),
        (json!([]), (Err(empty()), Err(empty()))),
        // The first item is the file.
        (
            json!([{ "uri": FILE, "text": "one" }, { "uri": FILE, "blob": "AA==" }]),
            (Ok("one".into()), Ok(Bytes::from("one"))),
        ),
    ] {
        for (_, mut client) in newest(&server, || gives(&json!({ "contents": contents }))).await {
            ask(&mut client).await;
            assert_eq!(found.one(), expected, "{contents}");
        }
    }
    assert_eq!(read(&json!({ "contents": [{ "uri": FILE, "text": "grüße" }] })).await, Ok(Contents::new().item(text)));
    assert_eq!(read(&json!({ "contents": [] })).await, Ok(Contents::new()));
}

#[tokio::test(start_paused = true)]
async fn b3_metadata_is_kept_and_unknown_members_are_ignored() {
    let result = json!({
        "contents": [{
            "uri": FILE, "mimeType": "text/plain", "text": "x", "etag": "7", "annotations": [1],
            "_meta": { "example.com/lines": [1, { "a": null }], "": 2 }
        }],
        "_meta": { "example.com/served-by": "disk" },
        "ttlMs": 5, "nextCursor": 7, "more": {}
    });
    let contents = read(&result).await.unwrap();
    let meta = |metadata: &grange_core::Metadata| -> Vec<(String, Value)> {
        metadata.iter().map(|(key, value)| (key.to_owned(), value.clone())).collect()
    };
    assert_eq!(meta(contents.metadata()), [("example.com/served-by".to_owned(), json!("disk"))]);
    let item = &contents.items()[0];
    assert_eq!(item.metadata().value("example.com/lines"), Some(&json!([1, { "a": null }])));
    assert_eq!(item.metadata().value(""), Some(&json!(2)));
    assert_eq!((item.uri(), item.media_type(), item.as_text()), (Some(FILE), Some("text/plain"), Some("x")));

    // Absent members stay absent.
    let plain = read(&json!({ "contents": [{ "uri": FILE, "text": "x" }] })).await.unwrap();
    assert!(plain.metadata().is_empty() && plain.items()[0].metadata().is_empty());
    assert_eq!(plain.items()[0].media_type(), None);
}

#[tokio::test(start_paused = true)]
async fn b3_an_invalid_result_of_a_read_is_an_invalid_response() {
    let item = |item: Value| json!({ "contents": [item] });
    let wrong = [
        json!(null),
        json!("x"),
        json!([]),
        json!(7),
        json!({}),
        json!({ "contents": null }),
        json!({ "contents": "nope" }),
        json!({ "contents": {} }),
        json!({ "Contents": [] }),
        json!({ "contents": [], "_meta": [] }),
        item(json!(null)),
        item(json!("text")),
        item(json!([])),
        item(json!({})),
        item(json!({ "uri": FILE })),
        item(json!({ "text": "no uri" })),
        item(json!({ "uri": 7, "text": "x" })),
        item(json!({ "uri": null, "text": "x" })),
        item(json!({ "uri": FILE, "text": 7 })),
        item(json!({ "uri": FILE, "text": null })),
        item(json!({ "uri": FILE, "blob": [1, 2] })),
        item(json!({ "uri": FILE, "text": "x", "blob": "eA==" })),
        item(json!({ "uri": FILE, "text": "", "blob": "" })),
        item(json!({ "uri": FILE, "text": "x", "mimeType": 7 })),
        item(json!({ "uri": FILE, "text": "x", "_meta": "x" })),
        json!({ "contents": [{ "uri": FILE, "text": "x" }, { "uri": FILE }] }),
    ];
    for result in wrong {
        let error = read(&result).await.unwrap_err();
        assert!(matches!(error, HostError::InvalidResponse(_)), "{result}: {error:?}");
    }
    for blob in ["!!", "YQ", "YQ=", "YQ===", "YR==", "Y Q==", "YQ==\n", "-_8A", "=", "YQ==YQ=="] {
        let error = read(&item(json!({ "uri": FILE, "blob": blob }))).await.unwrap_err();
        assert!(matches!(error, HostError::InvalidResponse(_)), "{blob}: {error:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn b3_a_list_is_complete_and_in_the_hosts_order() {
    let host = || {
        FakeHost::new()
            .named_file(ID, "sales.csv", "text/csv", "a,b", &["a", "2026"])
            .named_file(OLD_ID, "old.csv", "text/csv", "c", &["a"])
            .named_file("fl_aaaaaaaaaaaaaaaaaaaaaaaa", "logo.png", "image/png", "x", &[])
    };
    let (server, found) = asking(|host| async move {
        let filters = [
            HostFilter::new(),
            HostFilter::new().mime_type("text/csv"),
            HostFilter::new().mime_type("TEXT/CSV"),
            HostFilter::new().tag("a"),
            HostFilter::new().tags(["2026", "a"]),
            HostFilter::new().scheme("files").mime_type("image/png"),
            HostFilter::new().tag("none"),
        ];
        let mut names = Vec::new();
        for filter in filters {
            let list = host.list(filter).await.unwrap();
            assert_eq!(list.next_cursor, None);
            names
                .push(list.resources.into_iter().map(|file| (file.uri, file.name, file.mime_type)).collect::<Vec<_>>());
        }
        names
    });
    let entry = |uri: &str, name: &str, mime_type: &str| (uri.to_owned(), name.to_owned(), Some(mime_type.to_owned()));
    let sales = entry(FILE, "sales.csv", "text/csv");
    let old = entry(OLD_FILE, "old.csv", "text/csv");
    let logo = entry("files://fl_aaaaaaaaaaaaaaaaaaaaaaaa", "logo.png", "image/png");
    let expected = [
        vec![sales.clone(), old.clone(), logo.clone()],
        vec![sales.clone(), old.clone()],
        vec![],
        vec![sales.clone(), old],
        vec![sales],
        vec![logo],
        vec![],
    ];
    for mut client in clients(&server, host).await {
        ask(&mut client).await;
        assert_eq!(found.one(), expected);
    }
}

#[tokio::test(start_paused = true)]
async fn b3_a_list_keeps_its_members_and_an_unexpected_cursor() {
    let entry = json!({ "uri": FILE, "name": "a", "size": 3, "_meta": { "example.com/owner": "me" } });
    let list_of = list(&json!({ "resources": [entry], "nextCursor": "more", "_meta": {} })).await.unwrap();
    assert_eq!((list_of.resources.len(), list_of.next_cursor.as_deref()), (1, Some("more")));
    let file = &list_of.resources[0];
    assert_eq!((&*file.uri, &*file.name, &file.mime_type), (FILE, "a", &None));
    assert_eq!(file.meta.as_ref().unwrap()["example.com/owner"], "me");
    assert_eq!(list(&json!({ "resources": [] })).await.unwrap().resources, []);
}

#[tokio::test(start_paused = true)]
async fn b3_an_invalid_result_of_a_list_is_an_invalid_response() {
    let entry = |entry: Value| json!({ "resources": [entry] });
    for result in [
        json!(null),
        json!([]),
        json!({}),
        json!({ "resources": "nope" }),
        json!({ "resources": null }),
        json!({ "resources": [], "nextCursor": 7 }),
        entry(json!("x")),
        entry(json!({})),
        entry(json!({ "uri": FILE })),
        entry(json!({ "name": "a" })),
        entry(json!({ "uri": FILE, "name": 7 })),
        entry(json!({ "uri": FILE, "name": "a", "mimeType": {} })),
        entry(json!({ "uri": FILE, "name": "a", "_meta": 7 })),
    ] {
        let error = list(&result).await.unwrap_err();
        assert!(matches!(error, HostError::InvalidResponse(_)), "{result}: {error:?}");
    }
}
