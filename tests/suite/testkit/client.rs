//! The in-memory client's view of a server, on every revision, over a pipe and over HTTP.

use grange_core::{Contents, Item, Limits, Metadata, Revision, Server};
use grange_testkit::Direction;
use serde_json::{Value, json};

use super::{Notes, clients, noting, resource};

fn docs() -> Server {
    let guide = resource("getting-started").title("Start").mime_type("text/markdown").text("# Getting started");
    let logo = resource("logo").content_meta(Metadata::new().with("example.com/a", 1)).bytes(b"\xfb\xff\x00");
    let report = resource("report").read(|cx| async move {
        let text = Item::text(cx.uri().to_owned(), "Report complete.").mime_type("text/plain");
        Ok(Contents::new().item(text).item(Item::text("docs://report/more", "")).meta("example.com/version", 7))
    });
    let server = Server::builder("documentation", "1.0.0").title("Docs").instructions("Read.").page_size(2);
    server.resources([guide.build(), logo.build(), report.build()]).build().unwrap()
}

#[tokio::test]
async fn the_example_of_the_readme_works() {
    let mut client = grange_testkit::connect(&docs(), Revision::V2025_06_18).await.unwrap();
    assert_eq!(client.read("docs://getting-started").await.unwrap().text(), Some("# Getting started"));
}

#[tokio::test]
async fn w1_1_no_revision_gets_a_field_of_another() {
    for mut client in clients(&docs()).await {
        let revision = client.revision();
        let list = client.list().await.unwrap();
        let titled = list[0].get("title").is_some();
        let named = client.server_info().get("title").is_some();
        assert_eq!(titled, named, "{revision}");
        let cached = client.read("docs://logo").await.unwrap().result().get("ttlMs").is_some();
        assert_eq!(cached, !revision.has_handshake(), "{revision}");
    }
}

#[tokio::test]
async fn clients_of_all_revisions_get_the_whole_server() {
    for mut client in clients(&docs()).await {
        let uris: Vec<_> = client.list().await.unwrap().iter().map(|entry| entry["uri"].clone()).collect();
        assert_eq!(uris, ["docs://getting-started", "docs://logo", "docs://report"]);
        assert_eq!(client.server_info()["name"], "documentation");
        assert_eq!(client.instructions(), Some("Read."));
        assert_eq!(client.capabilities(), &json!({ "resources": {} }));
        assert_eq!(client.templates().await.unwrap(), [json!(null); 0]);
        assert_eq!(client.ping().await.is_ok(), client.revision().has_handshake());
        assert_eq!(client.discover().await.is_ok(), !client.revision().has_handshake());
        assert_eq!(client.take_unread(), [json!(null); 0]);
    }
}

#[tokio::test]
async fn a_read_has_the_whole_result() {
    for mut client in clients(&docs()).await {
        let logo = client.read("docs://logo").await.unwrap();
        assert_eq!((logo.bytes().as_deref(), logo.text()), (Some(&b"\xfb\xff\x00"[..]), None));
        let report = client.read("docs://report").await.unwrap();
        assert_eq!((report.text(), report.items().len()), (None, 2));
        let [first, second] = report.items() else { panic!("two items") };
        assert_eq!(
            (first.uri(), first.mime_type(), first.text()),
            ("docs://report", Some("text/plain"), Some("Report complete."))
        );
        assert_eq!((second.uri(), second.mime_type(), second.text()), ("docs://report/more", None, Some("")));
        assert_eq!(report.meta()["example.com/version"], 7);
    }
}

#[tokio::test]
async fn w3_1_pages_are_consecutive_and_only_issued_cursors_are_valid() {
    for mut client in clients(&docs()).await {
        let first = client.list_page(None).await.unwrap();
        let cursor = first.next_cursor.unwrap();
        let last = client.list_page(Some(&cursor)).await.unwrap();
        assert_eq!((first.resources.len(), last.resources.len(), last.next_cursor), (2, 1, None));
        for cursor in ["", "2", "docs://logo"] {
            assert_eq!(client.list_page(Some(cursor)).await.unwrap_err().code, -32602);
        }
    }
}

#[tokio::test]
async fn w2_8_the_error_for_an_unknown_resource_has_its_uri() {
    for mut client in clients(&docs()).await {
        let error = client.read("docs://none").await.unwrap_err();
        assert_eq!(error.code, if client.revision().has_handshake() { -32002 } else { -32602 });
        assert_eq!((&*error.message, error.data), ("Resource not found", Some(json!({ "uri": "docs://none" }))));
    }
}

#[tokio::test]
async fn a_revision_that_is_not_served_cannot_be_connected() {
    let only = |revision| Server::builder("one", "1.0.0").revisions([revision]).build().unwrap();
    for served in Revision::ALL {
        for revision in Revision::ALL {
            let server = only(served);
            let pipe = grange_testkit::connect(&server, revision).await;
            let http = grange_testkit::connect_http(&server, revision).await;
            assert_eq!(
                (pipe.is_ok(), http.is_ok()),
                (served == revision, served == revision),
                "{revision} of {served}"
            );
        }
    }
}

#[tokio::test]
async fn raw_bytes_reach_the_server_unchanged() {
    let mut client = grange_testkit::connect(&docs(), Revision::V2025_11_25).await.unwrap();
    assert_eq!(client.raw(b"\xff").await[0]["error"]["code"], -32700);
    let messages = client.raw("\n{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"}\r\n\n").await;
    assert_eq!(messages, [json!({ "jsonrpc": "2.0", "id": "a", "result": {} })]);
    let long = "x".repeat(Limits::default().message_bytes + 1);
    assert!(client.raw(long).await[0]["error"]["message"].as_str().unwrap().contains("message_bytes"));
}

#[tokio::test]
async fn an_observer_gets_earlier_messages_too() {
    let (notes, seen) = (Notes::default(), Notes::default());
    let watching = seen.clone();
    let server = noting(&notes).resources([]).build().unwrap();
    let mut client = grange_testkit::connect(&server, Revision::V2025_03_26).await.unwrap();
    client.observe(move |direction, message: &Value| {
        let sign = if direction == Direction::ToServer { ">" } else { "<" };
        watching.add(format!("{sign} {}", message["method"].as_str().unwrap_or("result")));
    });
    client.ping().await.unwrap();
    assert_eq!(seen.take(), ["> initialize", "< result", "> notifications/initialized", "> ping", "< result"]);
}
