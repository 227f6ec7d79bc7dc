//! The tools `list_resources` and `read_resource`, for hosts that only know tools: the same resources as the methods have, with the
//! same readers, limits and errors.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use grange_core::{
    Contents, Context, Item, Limits, ReadError, Resource, Revision, Server, ServerBuilder, Template, Tool,
};
use grange_testkit::{Client, ToolCall};
use serde_json::{Value, json};

use crate::raw;
use crate::schema::{checked, checked_http};

/// Provided to the readers.
struct Db(&'static str);

fn resource(uri: &'static str) -> grange_core::ResourceBuilder {
    Resource::builder().uri(uri).name(uri.trim_start_matches("shop://"))
}

async fn report(cx: Context) -> Result<Contents, ReadError> {
    cx.progress((1.0, 2.0));
    let db = cx.get::<Db>().await?;
    Ok(Contents::new()
        .item(Item::text("shop://report/text", format!("{} of {}", cx.uri(), db.0)).meta("example.com/part", 1))
        .item(Item::bytes("shop://report/data", vec![1, 2, 3]).mime_type("application/octet-stream"))
        .meta("example.com/version", 7))
}

async fn no_contents(cx: Context) -> Result<&'static str, ReadError> {
    Err(match cx.uri().as_str() {
        "shop://gone" => ReadError::not_found(),
        "shop://quota" => ReadError::public(4290, "quota exhausted").data(json!({ "retryAfterMs": 500 })),
        "shop://admin" => ReadError::missing_scopes("shop:admin"),
        "shop://panics" => panic!("secret"),
        _ => std::io::Error::other("secret").into(),
    })
}

fn builder() -> ServerBuilder {
    let guide = resource("shop://guide").title("Guide").description("How to order.").mime_type("text/markdown");
    let order = Template::builder().uri("shop://orders/{id}").name("order").mime_type("application/json");
    let order = order.read(|cx: Context, id: u64| async move {
        if id < 1000 { Ok(format!("{id} by {}", cx.uri())) } else { Err(ReadError::not_found()) }
    });
    let failing = ["gone", "quota", "admin", "panics", "broken"]
        .map(|name| Resource::builder().uri(format!("shop://{name}")).name(name).read(no_contents).build());
    Server::builder("shop", "1.0.0")
        .instructions("Read the guide first.\n")
        .resource(guide.text("# Guide\u{2028}").build())
        .resource(resource("shop://logo").mime_type("image/png").bytes(b"\x89PNG").build())
        .resource(resource("shop://report").read(report).build())
        .resource(resource("shop://bad").read(|_| async { Ok(Item::text("no uri", "x")) }).build())
        .resources(failing)
        .template(order.build())
        .provide_value(Db("today"))
        .on_error(|_, _| {})
        .resources_as_tools()
}

fn server() -> Server {
    builder().build().expect("a valid server")
}

/// A client of each revision over a pipe, and over HTTP where the revision has the version header.
async fn clients(server: &Server) -> Vec<Client> {
    let mut clients = Vec::new();
    for revision in Revision::ALL {
        clients.push(checked(server, revision).await.expect("a client connects"));
    }
    for revision in [Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28] {
        clients.push(checked_http(server, revision).await.expect("a client connects"));
    }
    clients
}

async fn read(client: &mut Client, uri: &str) -> ToolCall {
    client.call_tool("read_resource", json!({ "uri": uri })).await.expect("a result")
}

/// The page as each revision has it: as text, and structured where the revision has that.
async fn page(client: &mut Client, arguments: Value) -> Value {
    let call = client.call_tool("list_resources", arguments).await.expect("a page");
    let text: Value = serde_json::from_str(call.text().expect("a text")).expect("JSON");
    let has_structure = client.tools().await.expect("the tools").iter().any(|tool| tool.get("outputSchema").is_some());
    assert_eq!(call.structured(), has_structure.then_some(&text));
    text
}

fn keys(page: &Value) -> Vec<&str> {
    let entries = page["resources"].as_array().expect("entries").iter();
    entries.map(|entry| entry["uri"].as_str().or(entry["uriTemplate"].as_str()).expect("a key")).collect()
}

#[tokio::test]
async fn a_client_of_each_revision_finds_both_tools_and_what_the_instructions_say() {
    for mut client in clients(&server()).await {
        let tools = client.tools().await.unwrap();
        let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["list_resources", "read_resource"]);
        let instructions = client.instructions().expect("instructions");
        assert!(instructions.starts_with("Read the guide first.\n\nThe resources of this server"), "{instructions}");
        assert!(names.iter().all(|name| instructions.contains(name)), "{instructions}");
    }
}

#[tokio::test]
async fn without_the_setting_there_are_no_such_tools() {
    let server = Server::builder("shop", "1.0.0").resource(resource("shop://guide").text("x").build());
    let mut client = checked(&server.build().unwrap(), Revision::V2025_11_25).await.unwrap();
    assert_eq!((client.instructions(), client.capabilities().get("tools")), (None, None));
    assert_eq!(client.call_tool("read_resource", json!({})).await.unwrap_err().code, -32601);
}

#[tokio::test]
async fn each_kind_of_resource_is_read_as_content_blocks() {
    for mut client in clients(&server()).await {
        let has_meta = !["2024-10-07", "2024-11-05", "2025-03-26"].contains(&client.revision().name());
        let guide = read(&mut client, "shop://guide").await;
        assert_eq!(guide.content(), [json!({ "type": "text", "text": "# Guide\u{2028}" })]);
        let logo = read(&mut client, "shop://logo").await;
        let embedded = json!({ "uri": "shop://logo", "mimeType": "image/png", "blob": "iVBORw==" });
        assert_eq!(logo.content(), [json!({ "type": "resource", "resource": embedded })]);
        let order = read(&mut client, "shop://orders/%37").await;
        assert_eq!(order.text(), Some("7 by shop://orders/%37"));

        let report = read(&mut client, "shop://report").await;
        assert_eq!((report.text(), report.progress().len()), (Some("shop://report of today"), 1));
        assert_eq!(report.content()[0].get("_meta").is_some(), has_meta);
        assert_eq!(report.content()[1]["resource"]["blob"], "AQID");
        assert_eq!(report.meta()["example.com/version"], 7);
    }
}

#[tokio::test]
async fn what_a_read_would_answer_with_an_error_is_a_failed_result() {
    for mut client in clients(&server()).await {
        let cases = [
            ("shop://nowhere", "Resource not found"),
            ("shop://orders/x", "Resource not found"),
            ("shop://orders/%2e%2e", "Resource not found"),
            ("shop://orders/1000", "Resource not found"),
            ("shop://gone", "Resource not found"),
            ("shop://quota", "quota exhausted"),
            ("shop://broken", "Internal error"),
            ("shop://bad", "Internal error"),
            ("shop://panics", "Internal error"),
            ("", "Resource not found"),
        ];
        for (uri, text) in cases {
            let call = read(&mut client, uri).await;
            assert_eq!((call.is_error(), call.text()), (true, Some(text)), "{uri}");
            let error = client.request("resources/read", json!({ "uri": uri })).await.unwrap_err();
            assert_eq!(error.message, text, "{uri}");
        }
        let quota = read(&mut client, "shop://quota").await;
        assert_eq!(quota.content()[1]["text"], "{\"retryAfterMs\":500}");
        assert_eq!(quota.meta()["grange/code"], 4290);
        // The client, not the model, has to get a better token.
        let scopes = client.call_tool("read_resource", json!({ "uri": "shop://admin" })).await.unwrap_err();
        let same = client.request("resources/read", json!({ "uri": "shop://admin" })).await.unwrap_err();
        assert_eq!((scopes.code, scopes.message), (same.code, same.message));
    }
}

#[tokio::test]
async fn a_failure_is_reported_once_with_the_resource_as_its_target() {
    let reports = Arc::<Mutex<Vec<String>>>::default();
    let noted = reports.clone();
    let server = builder().on_error(move |failure, cx| {
        noted.lock().unwrap().push(format!("{}: {failure}", cx.target()));
    });
    let mut client = checked(&server.build().unwrap(), Revision::V2026_07_28).await.unwrap();
    for uri in ["shop://broken", "shop://gone", "shop://quota", "shop://panics"] {
        read(&mut client, uri).await;
    }
    let broken = "resource `shop://broken`: secret".to_owned();
    assert_eq!(*reports.lock().unwrap(), [broken, "resource `shop://panics`: the code panicked: secret".to_owned()]);
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_answered_as_for_any_tool() {
    for mut client in clients(&server()).await {
        let is_result = ["2025-11-25", "2026-07-28"].contains(&client.revision().name());
        for (tool, arguments, problem) in [
            ("read_resource", json!({}), "`uri` is missing"),
            ("read_resource", json!({ "uri": 7 }), "`uri` must be a string"),
            ("list_resources", json!({ "prefix": [] }), "`prefix` must be a string"),
        ] {
            let text = match client.call_tool(tool, arguments).await {
                Ok(call) => call.text().filter(|_| is_result && call.is_error()).expect("a failed result").to_owned(),
                Err(error) => Some(error.message).filter(|_| !is_result && error.code == -32602).expect("an error"),
            };
            assert!(text.ends_with(problem), "{text}");
        }
    }
}

#[tokio::test]
async fn a_list_has_resources_then_templates_with_their_fields() {
    for mut client in clients(&server()).await {
        let all = page(&mut client, json!({})).await;
        let guide = json!({
            "uri": "shop://guide", "name": "guide", "title": "Guide", "description": "How to order.",
            "mimeType": "text/markdown", "size": 10,
        });
        assert_eq!(all["resources"][0], guide);
        let order = json!({ "uriTemplate": "shop://orders/{id}", "name": "order", "mimeType": "application/json" });
        assert_eq!(all["resources"].as_array().unwrap().last(), Some(&order));
        assert_eq!((all["resources"].as_array().unwrap().len(), all.get("nextCursor")), (10, None));
        let orders = page(&mut client, json!({ "prefix": "shop://o", "cursor": "" })).await;
        assert_eq!(keys(&orders), ["shop://orders/{id}"]);
        assert_eq!(page(&mut client, json!({ "prefix": "x" })).await, json!({ "resources": [] }));
    }
}

/// 25 documents and two templates.
fn many() -> ServerBuilder {
    let documents = (0..25).map(|n| {
        let uri = format!("{}://{n}", if n % 5 == 0 { "rare" } else { "docs" });
        Resource::builder().uri(uri).name(n.to_string()).text("x").build()
    });
    let templates = ["rare://t/{a}", "docs://t/{a}"]
        .map(|uri| Template::builder().uri(uri).name(uri).read(|_, a: String| async move { Ok(a) }).build());
    Server::builder("many", "1.0.0").resources(documents).templates(templates).resources_as_tools()
}

#[tokio::test]
async fn pages_hold_each_entry_with_the_prefix_once_and_none_is_empty() {
    let server = many().page_size(2).build().unwrap();
    let mut client = checked(&server, Revision::V2026_07_28).await.unwrap();
    for (prefix, entries) in [("rare://", 6), ("docs://", 21), ("", 27)] {
        let (mut found, mut arguments) = (Vec::new(), json!({ "prefix": prefix }));
        loop {
            let page = page(&mut client, arguments.clone()).await;
            let keys: Vec<_> = keys(&page).into_iter().map(str::to_owned).collect();
            assert!((1..=2).contains(&keys.len()), "{page}");
            found.extend(keys);
            match page.get("nextCursor") {
                Some(cursor) => arguments["cursor"] = cursor.clone(),
                None => break,
            }
        }
        assert!(found.iter().all(|key| key.starts_with(prefix)), "{found:?}");
        assert_eq!(found.iter().collect::<std::collections::HashSet<_>>().len(), found.len());
        assert_eq!(found.len(), entries);
    }
}

#[tokio::test]
async fn a_cursor_that_was_not_issued_is_a_failed_result() {
    let mut client = checked(&many().page_size(2).build().unwrap(), Revision::V2025_06_18).await.unwrap();
    let issued = page(&mut client, json!({ "prefix": "rare://" })).await["nextCursor"].clone();
    let listed = client.list_page(None).await.unwrap().next_cursor.expect("a cursor");
    let foreign =
        [json!({ "cursor": "x" }), json!({ "cursor": listed }), json!({ "cursor": issued, "prefix": "docs://" })];
    for arguments in foreign {
        let call = client.call_tool("list_resources", arguments).await.unwrap();
        let text = "Invalid params: \"cursor\" is not one that this server issued";
        assert_eq!((call.is_error(), call.text()), (true, Some(text)));
    }
}

#[tokio::test]
async fn a_page_has_100_entries_at_most() {
    let documents = (0..101).map(|n| Resource::builder().uri(format!("docs://{n}")).name("n").text("x").build());
    let server = Server::builder("many", "1.0.0").resources(documents).resources_as_tools().build().unwrap();
    let mut client = checked(&server, Revision::V2025_06_18).await.unwrap();
    let first = page(&mut client, json!({})).await;
    assert_eq!(keys(&first).len(), 100);
    assert_eq!(keys(&page(&mut client, json!({ "cursor": first["nextCursor"] })).await), ["docs://100"]);
}

#[tokio::test]
async fn the_limits_of_a_read_hold() {
    let limits = Limits { uri_bytes: 20, request_time: Duration::from_secs(5), ..Limits::default() };
    let stuck = resource("shop://stuck").read(|_| std::future::pending::<Result<String, ReadError>>()).build();
    let server = Server::builder("shop", "1.0.0").resource(stuck).limits(limits).on_error(|_, _| {});
    let server = server.resources_as_tools().build().unwrap();
    for mut client in [
        checked(&server, Revision::V2025_06_18).await.unwrap(),
        checked_http(&server, Revision::V2026_07_28).await.unwrap(),
    ] {
        let long = read(&mut client, "shop://a-uri-that-is-too-long").await;
        assert_eq!((long.is_error(), long.text()), (true, Some("Resource not found")));
        let pending = client.start_tool("read_resource", json!({ "uri": "shop://stuck" }));
        client.clock().advance(Duration::from_secs(6));
        let late = client.finish_tool(pending).await.unwrap();
        assert_eq!((late.is_error(), late.text()), (true, Some("Internal error")));
    }
}

#[tokio::test]
async fn a_cancelled_read_is_dropped() {
    struct Guard(Arc<AtomicUsize>);
    impl Drop for Guard {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
    let dropped = Arc::<AtomicUsize>::default();
    let counted = dropped.clone();
    let stuck = resource("shop://stuck").read(move |_| {
        let guard = Guard(counted.clone());
        async move {
            std::future::pending::<()>().await;
            drop(guard);
            Ok("")
        }
    });
    let server = Server::builder("shop", "1.0.0").resource(stuck.build()).resources_as_tools().build().unwrap();
    let mut client = checked(&server, Revision::V2025_06_18).await.unwrap();
    let pending = client.start_tool("read_resource", json!({ "uri": "shop://stuck" }));
    client.cancel(pending);
    client.settle();
    assert_eq!((dropped.load(Ordering::SeqCst), client.take_unread()), (1, Vec::new()));
}

#[tokio::test]
async fn the_tools_stand_behind_those_of_the_author() {
    let sum = Tool::builder().name("sum").call_without_arguments(|_| async { Ok("3") });
    let mut client = checked(&builder().tool(sum).build().unwrap(), Revision::V2026_07_28).await.unwrap();
    assert_eq!(client.tools().await.unwrap()[0]["name"], "sum");
    assert_eq!(client.call_tool("sum", json!({})).await.unwrap().text(), Some("3"));
    assert_eq!(client.call_tool("nothing", json!({})).await.unwrap_err().message, "Unknown tool: nothing");
    assert_eq!(read(&mut client, "shop://guide").await.content().len(), 1);
}

#[test]
fn a_tool_of_the_author_with_one_of_the_names_is_a_problem() {
    let own = |name: &'static str| Tool::builder().name(name).call_without_arguments(|_| async { Ok("") });
    let error = builder().tools([own("read_resource"), own("list_resources")]).build().unwrap_err();
    let problems: Vec<_> = error.errors().iter().map(ToString::to_string).collect();
    let remedy = "the server adds a tool of this name (`.resources_as_tools()`): give this one another name, or leave out that call";
    assert_eq!(problems, ["read_resource", "list_resources"].map(|name| format!("tool `{name}`: {remedy}")));
    let server = Server::builder("shop", "1.0.0").tool(own("read_resource")).build().unwrap();
    assert_eq!(raw::modern(&server, "tools/list", json!({})).result()["tools"][0]["name"], "read_resource");
}
