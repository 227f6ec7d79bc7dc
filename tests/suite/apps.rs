//! MCP Apps, and the resources that the NimbleBrain host finds by name: how one declaration is shown in every place
//! where hosts look, and which errors `build()` reports.

#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use grange::{resource, tool};
use grange_core::{
    Contents, ExtensionData, Item, Resource, ResourceBuilder, Revision, Server, Tool, ToolBuilder, Ui, UiLink,
    UiPermission, UiVisibility, nimblebrain,
};
use grange_testkit::Client;
use serde_json::{Value, json};

use crate::schema::{checked, checked_http};

const ID: &str = "io.modelcontextprotocol/ui";
const MIME: &str = "text/html;profile=mcp-app";
const VIEW: &str = "ui://forecast/view";
const HTML: &str = "<!doctype html><title>Forecast</title>";

fn view(ui: Ui) -> ResourceBuilder {
    Resource::builder().uri(VIEW).name("forecast-view").ui(ui)
}

fn opening(link: impl Into<UiLink>) -> Tool {
    Tool::builder().name("forecast").ui(link).call_without_arguments(|_cx| async { Ok("sunny") })
}

fn everything() -> Ui {
    Ui::new()
        .connect_domains(["https://api.example.com", "wss://api.example.com:8443"])
        .resource_domains(["https://*.example.com"])
        .frame_domains(["http://localhost:3000"])
        .base_uri_domains(["https://example.com"])
        .permissions([UiPermission::Microphone, UiPermission::Camera])
        .permissions([UiPermission::Geolocation, UiPermission::ClipboardWrite])
        .domain("a904794854a047f6.claudemcpcontent.com")
        .prefers_border(false)
}

fn everything_json() -> Value {
    json!({
        "csp": {
            "connectDomains": ["https://api.example.com", "wss://api.example.com:8443"],
            "resourceDomains": ["https://*.example.com"],
            "frameDomains": ["http://localhost:3000"],
            "baseUriDomains": ["https://example.com"],
        },
        "permissions": { "camera": {}, "clipboardWrite": {}, "geolocation": {}, "microphone": {} },
        "domain": "a904794854a047f6.claudemcpcontent.com",
        "prefersBorder": false,
    })
}

/// A client of each revision, over a pipe and over HTTP.
async fn clients(resources: impl IntoIterator<Item = Resource>, tools: impl IntoIterator<Item = Tool>) -> Vec<Client> {
    let server = Server::builder("forecasts", "1.0.0").resources(resources).tools(tools).build().unwrap();
    let mut clients = Vec::new();
    for revision in Revision::ALL {
        clients.push(checked(&server, revision).await.unwrap());
        clients.push(checked_http(&server, revision).await.unwrap());
    }
    clients
}

/// Before 2025-06-18 there is no `_meta`.
fn has_meta(client: &Client) -> bool {
    !matches!(client.revision(), Revision::V2024_10_07 | Revision::V2024_11_05 | Revision::V2025_03_26)
}

/// The `_meta` of the only list entry and of the only item of its contents.
async fn metas(client: &mut Client) -> [Option<Value>; 2] {
    let entry = client.list().await.unwrap().remove(0);
    let read = client.read(entry["uri"].as_str().unwrap()).await.unwrap();
    let [item] = read.items() else { panic!("one item") };
    assert_eq!((entry["mimeType"].as_str(), item.mime_type()), (Some(MIME), Some(MIME)));
    assert_eq!(item.text(), Some(HTML));
    [entry.get("_meta").cloned(), item.json().get("_meta").cloned()]
}

#[tokio::test]
async fn a_views_needs_are_in_its_list_entry_and_its_contents() {
    for (ui, expected_ui) in [
        (everything(), everything_json()),
        (Ui::new(), json!({})),
        (Ui::new().prefers_border(true), json!({ "prefersBorder": true })),
        (Ui::new().connect_domains(["https://a.example"; 0]), json!({ "csp": { "connectDomains": [] } })),
    ] {
        let fixed = view(ui.clone()).text(HTML);
        let read = view(ui).read(|_cx| async { Ok(HTML) });
        for resource in [fixed, read] {
            for mut client in clients([resource.build()], []).await {
                let expected = has_meta(&client).then(|| json!({ "ui": expected_ui }));
                assert_eq!(metas(&mut client).await, [expected.clone(), expected], "{}", client.revision());
            }
        }
    }
}

#[tokio::test]
async fn an_item_that_a_reader_builds_keeps_its_own_metadata() {
    let item =
        |uri: &str| Item::text(uri.to_owned(), HTML).mime_type(MIME).meta("ui", json!({ "prefersBorder": true }));
    let read = view(everything()).read(move |cx| async move { Ok(Contents::new().item(item(cx.uri()))) });
    for mut client in clients([read.build()], []).await.into_iter().filter(has_meta) {
        let [entry, item] = metas(&mut client).await.map(|meta| meta.unwrap()["ui"].take());
        assert_eq!((entry, item), (everything_json(), json!({ "prefersBorder": true })));
    }
}

#[tokio::test]
async fn a4_6_only_the_item_with_the_views_uri_has_the_views_needs() {
    let read = view(everything()).read(move |cx| async move {
        let own = Item::text(cx.uri(), HTML).mime_type(MIME).meta("com.example/a", 1);
        Ok(Contents::new().item(own).item(Item::text("docs://other", "other")))
    });
    for mut client in clients([read.build()], []).await.into_iter().filter(has_meta) {
        let read = client.read(VIEW).await.unwrap();
        let metas: Vec<_> =
            read.result()["contents"].as_array().unwrap().iter().map(|item| item["_meta"].clone()).collect();
        assert_eq!(metas, [json!({ "com.example/a": 1, "ui": everything_json() }), json!(null)]);
    }
}

#[tokio::test]
async fn a_view_keeps_the_authors_metadata() {
    let meta = json!({ "com.example/a": 1 });
    let resource = view(Ui::new()).meta(meta.clone()).content_meta(json!({ "com.example/b": 2 })).text(HTML).build();
    for mut client in clients([resource], []).await {
        let both = has_meta(&client)
            .then(|| [json!({ "com.example/a": 1, "ui": {} }), json!({ "com.example/b": 2, "ui": {} })]);
        assert_eq!(metas(&mut client).await, both.map_or([None, None], |both| both.map(Some)));
    }
}

#[tokio::test]
async fn the_extension_is_declared_if_and_only_if_there_is_a_view_or_a_tool_with_one() {
    let plain = || Resource::builder().uri("docs://a").name("a").text("a").build();
    for client in clients([plain(), view(Ui::new()).text(HTML).build()], []).await {
        assert_eq!(client.capabilities()["extensions"], json!({ ID: {} }), "{}", client.revision());
    }
    for client in clients([view(Ui::new()).text(HTML).build()], [opening(VIEW)]).await {
        assert_eq!(client.capabilities()["extensions"], json!({ ID: {} }));
    }
    for client in clients([plain()], []).await {
        assert_eq!(client.capabilities().get("extensions"), None);
    }
}

#[tokio::test]
async fn a4_7_a_tool_names_its_view_in_both_forms() {
    let both = json!({ "ui": { "resourceUri": VIEW }, "ui/resourceUri": VIEW });
    let link = || UiLink::new(VIEW);
    let seen_by = |who: &[UiVisibility], expected_meta: Value| {
        (
            link().visibility(who.to_vec()).without_flat_key(),
            json!({ "ui": { "resourceUri": VIEW, "visibility": expected_meta } }),
        )
    };
    for (link, expected_meta) in [
        (VIEW.into(), both.clone()),
        (link(), both),
        (link().without_flat_key(), json!({ "ui": { "resourceUri": VIEW } })),
        seen_by(&[UiVisibility::App], json!(["app"])),
        seen_by(&[UiVisibility::Model, UiVisibility::App], json!(["model", "app"])),
    ] {
        for mut client in clients([view(Ui::new()).text(HTML).build()], [opening(link)]).await {
            let expected = has_meta(&client).then(|| expected_meta.clone());
            assert_eq!(client.tools().await.unwrap()[0].get("_meta").cloned(), expected);
            assert_eq!(client.call_tool("forecast", json!({})).await.unwrap().text(), Some("sunny"));
        }
    }
}

/// The errors of `build()`.
fn errors(resources: impl IntoIterator<Item = Resource>, tools: impl IntoIterator<Item = Tool>) -> Vec<String> {
    let error = Server::builder("t", "1").resources(resources).tools(tools).build().expect_err("the build must fail");
    error.errors().iter().map(ToString::to_string).collect()
}

#[test]
fn build_checks_each_origin_and_names_its_field() {
    const AS: &str = "write it as in `https://api.example.com` or `https://*.example.com`";
    let ui = Ui::new()
        .connect_domains(["api.example.com", "https://api.example.com"])
        .resource_domains(["https://a.example; script-src *"])
        .frame_domains(["*"])
        .base_uri_domains(["https://a.example:x"]);
    let host = "has no plain host in lower case; a path, a query and a lone `*` are none";
    assert_eq!(
        errors([view(ui).text(HTML).build()], []),
        [
            format!("resource `{VIEW}`: ui connectDomains `api.example.com` has no scheme: {AS}"),
            format!("resource `{VIEW}`: ui resourceDomains `https://a.example; script-src *` {host}: {AS}"),
            format!("resource `{VIEW}`: ui frameDomains `*` has no scheme: {AS}"),
            format!("resource `{VIEW}`: ui baseUriDomains `https://a.example:x` has a port that is none: {AS}"),
        ]
    );
}

#[test]
fn a_view_must_have_its_scheme_and_media_type() {
    let elsewhere = Resource::builder().uri("https://example.com/view").name("v").ui(Ui::new()).text(HTML).build();
    assert_eq!(
        errors([elsewhere], []),
        [format!(
            "resource `https://example.com/view`: uri is `https://example.com/view`, and `{ID}` needs one that begins with `ui://`"
        )]
    );
    for mime in ["text/html", "text/html; profile=mcp-app", "TEXT/HTML;profile=mcp-app"] {
        assert_eq!(
            errors([view(Ui::new()).mime_type(mime).text(HTML).build()], []),
            [format!("resource `{VIEW}`: mime_type is `{mime}`, and `{ID}` needs `{MIME}`: leave it out")]
        );
    }
    let explicit = view(Ui::new()).mime_type(MIME).text(HTML).build();
    assert!(Server::builder("t", "1").resource(explicit).build().is_ok());
}

#[test]
fn a_tool_must_link_a_view_of_its_own_server() {
    assert_eq!(
        errors([], [opening(VIEW)]),
        [format!("tool `forecast`: it links `{VIEW}`, which is not registered: add it with `.resource(…)`")]
    );
    let no_view = Resource::builder().uri(VIEW).name("v").mime_type(MIME).text(HTML).build();
    assert_eq!(
        errors([no_view], [opening(VIEW)]),
        [format!("tool `forecast`: it links `{VIEW}`, which is no resource of `{ID}`: make it one")]
    );
    assert_eq!(
        errors([], [opening("https://example.com/view")]),
        [
            "tool `forecast`: ui is `https://example.com/view`, and a view's URI begins with `ui://`: register the view under one"
        ]
    );
    assert_eq!(
        errors([view(Ui::new()).text(HTML).build()], [opening(UiLink::new(VIEW).visibility([]))]),
        [
            "tool `forecast`: ui visibility is empty, so no caller could use the tool: leave it out to allow every caller"
        ]
    );
}

#[tokio::test]
async fn a_ui_of_a_copy_replaces_that_of_the_base() {
    let base = view(everything()).text(HTML).build();
    let by_macro = resource! { ui: { prefers_border: true }, ..base.clone() };
    let by_hand = base.to_builder().ui(Ui::new().prefers_border(true)).build();
    let kept = resource! { title: "Forecast", ..base };
    for (resource, expected_ui) in [
        (by_macro, json!({ "prefersBorder": true })),
        (by_hand, json!({ "prefersBorder": true })),
        (kept, everything_json()),
    ] {
        for mut client in clients([resource], []).await.into_iter().filter(has_meta) {
            let expected = Some(json!({ "ui": expected_ui }));
            assert_eq!(metas(&mut client).await, [expected.clone(), expected]);
        }
    }
}

#[tokio::test]
async fn macros_and_builders_give_the_same_ui() {
    let by_macro = resource! {
        uri: VIEW,
        name: "forecast-view",
        ui: {
            connect_domains: ["https://api.example.com", "wss://api.example.com:8443"],
            resource_domains: ["https://*.example.com"],
            frame_domains: ["http://localhost:3000"],
            base_uri_domains: ["https://example.com"],
            permissions: [Camera, ClipboardWrite, Geolocation, UiPermission::Microphone],
            domain: "a904794854a047f6.claudemcpcontent.com",
            prefers_border: false,
        },
        text: HTML,
    };
    let tool = tool! { name: "forecast", ui: "ui://forecast/view", call: |_cx| async { Ok("sunny") } };
    for mut client in clients([by_macro], [tool]).await.into_iter().filter(has_meta) {
        let expected = Some(json!({ "ui": everything_json() }));
        assert_eq!(metas(&mut client).await, [expected.clone(), expected]);
        let tools = client.tools().await.unwrap();
        assert_eq!(tools[0]["_meta"], json!({ "ui": { "resourceUri": VIEW }, "ui/resourceUri": VIEW }));
    }
}

#[tokio::test]
async fn any_extension_can_add_metadata_to_a_resource_and_a_tool() {
    let part =
        || ExtensionData::new("com.example/prices").meta("com.example/price", 3).content_meta("com.example/paid", true);
    let report = Resource::builder().uri("docs://report").name("report").extended(part()).text("…").build();
    let tool = |builder: ToolBuilder| builder.extended(part()).call_without_arguments(|_cx| async { Ok("") });
    for mut client in clients([report], [tool(Tool::builder().name("buy"))]).await {
        assert_eq!(client.capabilities()["extensions"], json!({ "com.example/prices": {} }));
        let entry = client.list().await.unwrap().remove(0);
        let item = client.read("docs://report").await.unwrap().items()[0].json().clone();
        let bought = client.tools().await.unwrap().remove(0);
        let expected = |meta: Value| has_meta(&client).then_some(meta);
        assert_eq!(entry.get("_meta").cloned(), expected(json!({ "com.example/price": 3 })));
        assert_eq!(item.get("_meta").cloned(), expected(json!({ "com.example/paid": true })));
        assert_eq!(bought.get("_meta").cloned(), expected(json!({ "com.example/price": 3 })));
    }
    let wrong = ExtensionData::new("com.example/prices").problem("the price is negative: write 0 or more");
    let report = Resource::builder().uri("docs://report").name("report").extended(wrong).text("…").build();
    assert_eq!(errors([report], []), ["resource `docs://report`: the price is negative: write 0 or more"]);
}

#[tokio::test]
async fn a5_instructions_have_the_exact_uri() {
    let instructions = nimblebrain::instructions().text("Write dates as 2026-07-28.").build();
    for mut client in clients([instructions], []).await {
        assert_eq!(client.capabilities().get("extensions"), None);
        let entry = client.list().await.unwrap().remove(0);
        assert_eq!((&entry["uri"], &entry["mimeType"]), (&json!("app://instructions"), &json!("text/markdown")));
        let read = client.read("app://instructions").await.unwrap();
        let item =
            json!([{ "uri": "app://instructions", "mimeType": "text/markdown", "text": "Write dates as 2026-07-28." }]);
        assert_eq!(read.result()["contents"], item);
    }
}

#[tokio::test]
async fn a7_a_facet_has_a_count_and_its_extension_is_declared() {
    const FACETS: &str = "ai.nimblebrain/facets";
    let uri = "inbox://facets/unread";
    let unread = nimblebrain::facet(uri, "unread", |_cx| async { Ok(3) }).title("Unread").build();
    for mut client in clients([unread], []).await {
        assert_eq!(client.capabilities()["extensions"], json!({ FACETS: {} }), "{}", client.revision());
        let mut expected = json!({ "uri": uri, "name": "unread", "mimeType": "application/json" });
        if has_meta(&client) {
            expected["title"] = "Unread".into();
            expected["_meta"] = json!({ FACETS: {} });
        }
        assert_eq!(client.list().await.unwrap(), [expected]);
        let item = json!([{ "uri": uri, "mimeType": "application/json", "text": "{\"count\":3}" }]);
        assert_eq!(client.read(uri).await.unwrap().result()["contents"], item);
    }
}

#[test]
fn a7_a_facet_that_the_host_would_ignore_fails_the_build() {
    let facet = || nimblebrain::facet("inbox://facets/unread", "unread", |_cx| async { Ok(3) });
    let subject = "resource `inbox://facets/unread`";
    let title = format!("{subject}: title is missing, and `ai.nimblebrain/facets` needs one: add it with `.title(…)`");
    for (made, problem) in [
        (facet(), title.clone()),
        (facet().title(" \t"), title),
        (
            facet().title("Unread").name(" "),
            format!("{subject}: name is blank, and `ai.nimblebrain/facets` needs one that is not"),
        ),
        (
            facet().title("Unread").mime_type("application/json; charset=utf-8"),
            format!(
                "{subject}: mime_type is `application/json; charset=utf-8`, and `ai.nimblebrain/facets` needs \
                 `application/json`: leave it out"
            ),
        ),
    ] {
        let error = Server::builder("t", "1").resource(made.build()).build().map(|_| ()).unwrap_err();
        let errors: Vec<_> = error.errors().iter().map(ToString::to_string).collect();
        assert_eq!(errors, [problem]);
    }
    assert!(Server::builder("t", "1").resource(facet().title("Unread").build()).build().is_ok());
}

#[tokio::test]
async fn a7_a_failed_count_is_an_error() {
    let gone = nimblebrain::facet("inbox://facets/unread", "unread", |_cx| async {
        Err(std::io::Error::other("secret=1").into())
    });
    for mut client in clients([gone.title("Unread").build()], []).await {
        let error = client.read("inbox://facets/unread").await.unwrap_err();
        assert_eq!((error.code, &*error.message), (-32603, "Internal error"));
    }
}
